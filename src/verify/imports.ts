/** Who may bring in a file of records, and that what stands in it is there afterwards. */
import { importHref } from '../web/routes.ts'
import * as oracle from './oracle/rights.ts'
import { openPage } from './page.ts'
import { cellOf, type Trial, tallyOf } from './trial.ts'

export async function tryImport(trial: Trial): Promise<void> {
  const { site, entity } = trial
  const about = { app: site.app, entity: entity.key }
  const tally = tallyOf(trial, 'import', cellOf(about), `${entity.name}: who may bring in a file of them`)
  for (const player of site.players) {
    const world = await site.observatory.world(player)
    const may = oracle.mayAtAll({ world, entity: entity.key }, 'Import')
    const page = await openPage(site, player, importHref(entity.key))
    tally.tried++
    site.judged.add(...oracle.decidedBy({ world, entity: entity.key }, 'Import'))
    if (page.kind === 'shown') tally.through++
    if ((page.kind === 'shown') !== may)
      tally.wrong.push(
        `${player.name}: the application ${page.kind === 'shown' ? 'lets' : 'does not let'} them, the document ${may ? 'does' : 'refuses it'}`,
      )
  }
}
