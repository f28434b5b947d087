/** The time zone that somebody means who does not write its name from the IANA list. */
import { nearest } from '../../document/nearest.ts'

/** Cities that have a zone, by what else people call them, or by what shares their clock. */
const cities: Readonly<Record<string, readonly string[]>> = {
  Amsterdam: ['netherlands', 'niederlande'],
  Athens: ['athen', 'greece', 'griechenland'],
  Belgrade: ['belgrad', 'serbia', 'serbien'],
  Berlin: ['germany', 'deutschland', 'bonn', 'cologne', 'frankfurt', 'hamburg', 'koln', 'munchen', 'munich'],
  Brussels: ['brussel', 'bruxelles', 'belgium', 'belgien'],
  Bucharest: ['bukarest', 'romania', 'rumanien'],
  Budapest: ['hungary', 'ungarn'],
  Calcutta: ['delhi', 'india', 'indien', 'kolkata', 'mumbai'],
  Copenhagen: ['kopenhagen', 'kobenhavn', 'denmark', 'danemark'],
  Helsinki: ['finland', 'finnland'],
  Kiev: ['kyiv', 'kiew', 'ukraine'],
  Lisbon: ['lissabon', 'lisboa', 'portugal'],
  Ljubljana: ['laibach', 'slovenia', 'slowenien'],
  London: ['england', 'united kingdom', 'uk'],
  Luxembourg: ['luxemburg'],
  Madrid: ['spain', 'spanien'],
  Moscow: ['moskau'],
  Oslo: ['norway', 'norwegen'],
  Paris: ['france', 'frankreich'],
  Prague: ['prag', 'praha', 'czechia', 'tschechien'],
  Rome: ['rom', 'roma', 'italy', 'italien'],
  Stockholm: ['sweden', 'schweden'],
  Tokyo: ['tokio', 'japan'],
  Vienna: ['wien', 'austria', 'osterreich', 'graz', 'linz', 'salzburg'],
  Warsaw: ['warschau', 'warszawa', 'poland', 'polen'],
  Zurich: ['switzerland', 'schweiz', 'basel', 'bern', 'genf', 'geneva'],
}

/** `Köln` → `koln`. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[_\s-]+/g, ' ')
    .trim()

const lastOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1)

/** `Berlin`, `Wien` and `Europe/Hambrug` have no zone of that name: the one of the city, else the nearest; null where nothing is near. */
export function zoneMeant(written: string): string | null {
  const zones = Intl.supportedValuesOf('timeZone')
  const byCity = new Map(zones.map(zone => [plain(lastOf(zone)), zone]))
  for (const [city, others] of Object.entries(cities))
    for (const other of others) byCity.set(other, byCity.get(plain(city))!)
  const wanted = plain(lastOf(written))
  return byCity.get(wanted) ?? nearest(written, zones) ?? byCity.get(nearest(wanted, byCity.keys()) ?? '') ?? null
}
