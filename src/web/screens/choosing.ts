/** Controls that hold something that is there already: records that a field names, and files. */

import type { Field } from '../../headings/3-entities/model.ts'
import { heldFile } from '../../kinds/fields/file/held.ts'
import { isShownInPlace, mediaOf } from '../../kinds/fields/file/types.ts'
import { unseen } from '../../kinds/fields/reference/unseen.ts'
import { linked } from '../../kinds/fields/several/links.ts'
import type { ControlView, Option } from '../../kinds/screens/view-model.ts'
import { wordsIn } from '../../run/problems/words.ts'
import { selectOptions } from '../bounds.ts'
import { fileAddress } from '../routes/files.ts'
import type { FieldInfo, Site } from '../site.ts'
import type { Building } from './common.ts'
import type { Choices, FormOptions, Search } from './form.ts'
import { overlookedIn } from './search.ts'

/** In the address of options: a value of the record that is filled in, `this.model=…`, and of the one that a row is part of, `above.day=…`. */
export const ofThis = 'this.'
export const ofAbove = 'above.'

/** The file that is there has an address only where the stored record has it: one that was just sent belongs to nothing yet. */
export function fileOf(
  { site }: Building,
  { form }: FormOptions,
  { key, kind, types }: Field,
  name: string,
  value: string,
  entity: string,
  required: boolean,
): ControlView {
  const held = heldFile(value)
  const [list = '', index] = name.split('.')
  const rows = form.values[list]
  const row =
    index === undefined
      ? { ...form.values, id: form.id }
      : Array.isArray(rows)
        ? rows.find(one => one[key] === value)
        : undefined
  const isStored = row !== undefined && row[key] === value && typeof row.id === 'string'
  return {
    kind: 'file',
    accept: types === null ? null : mediaOf(types.names).join(','),
    held:
      held === null
        ? null
        : {
            name: held.name,
            size: site.reader.format.bytes(held.size),
            href: isStored ? fileAddress(entity, String(row.id), key) : null,
            image: kind === 'image' && isShownInPlace(held.type),
          },
    removable: !required,
  }
}

/** What a control offers, whether those are few enough for a list, and where a script asks for them anew. */
function offeredTo({ choices: of }: FormOptions, entity: string, field: string, name: string) {
  const all = of.get(`${entity}.${field}`) ?? { options: [], more: false, records: {} }
  const choices = all.rows?.get(name.split('.').slice(0, -1).join('.')) ?? all
  const { options, more, following } = choices
  const asked = new URLSearchParams({ entity, field, ...following?.known })
  return {
    all,
    choices,
    fits: !more && options.length <= selectOptions,
    source: `/-/options?${asked}`,
    reads: following?.reads ?? [],
  }
}

/** One record: out of a list where they are few, else what a search found. */
export function pickOf(
  { site }: Building,
  options: FormOptions,
  info: FieldInfo,
  name: string,
  value: string,
  entity: string,
  required: boolean,
): ControlView {
  const { all, choices, fits, source, reads } = offeredTo(options, entity, info.key, name)
  const label =
    value === '' ? null : (labelOf(site, options, name, value, choices) ?? labelOf(site, options, name, value, all))
  if (fits) {
    const unknown = value !== '' && label !== null && !choices.options.some(option => option.value === value)
    return {
      kind: 'select',
      options: unknown ? [{ value, label }, ...choices.options] : choices.options,
      empty: required ? site.reader.words('choose') : '',
      source,
      ...(reads.length === 0 ? {} : { reads }),
    }
  }
  const search = options.searches.get(name)
  return {
    kind: 'pick',
    chosen: label,
    query: search?.query ?? '',
    results: search?.found?.options ?? null,
    note: noteOf(site, search),
    source,
    ...(reads.length === 0 ? {} : { reads }),
  }
}

/** What a search in a form left out, in words: words that are too many, records that are. */
export function noteOf(site: Site, search: Search | undefined): string {
  const { query = '', found = null } = search ?? {}
  if (found === null) return ''
  return [...overlookedIn(site, query), ...(found.more ? [site.reader.words('pickMore')] : [])].join(' ')
}

/** All records that may be named as boxes; where they are too many, the chosen ones and what a search found. */
export function severalOf(
  { site }: Building,
  options: FormOptions,
  { key }: FieldInfo,
  name: string,
  value: string,
  entity: string,
): ControlView {
  const { all, choices, fits, source, reads } = offeredTo(options, entity, key, name)
  const search = options.searches.get(name)
  const offered = fits ? choices.options : (search?.found?.options ?? [])
  const chosen = linked(value).flatMap((id): readonly Option[] => {
    if (offered.some(option => option.value === id)) return []
    const known = [...choices.options, ...all.options].find(option => option.value === id)
    const label = known?.label ?? options.chosen.get(id)
    return label === undefined ? [] : [{ value: id, label }]
  })
  return {
    kind: 'several',
    options: [...chosen, ...offered],
    parted: ' ',
    ...(fits && reads.length > 0 ? { source, reads } : {}),
    search: fits
      ? null
      : {
          query: search?.query ?? '',
          found: search?.found == null ? null : search.found.options.length,
          note: noteOf(site, search),
        },
  }
}

function labelOf(
  site: Site,
  { form, typed, chosen, searches }: FormOptions,
  name: string,
  value: string,
  choices: Choices,
): string | null {
  if (value === unseen) return wordsIn(site.reader.locale).unseen
  const known = [...choices.options, ...(searches.get(name)?.found?.options ?? [])].find(
    option => option.value === value,
  )
  return known?.label ?? chosen.get(value) ?? (typed === null ? form.labels[name] : null) ?? null
}
