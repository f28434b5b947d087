/** With whom a record is shared, as its page says it. */
import { wordFor } from '../../headings/translate.ts'
import type { OneData } from '../../kinds/screens/read-data.ts'
import { say } from '../sentences.ts'
import type { Site } from '../site.ts'

export const sharesView = (site: Site, me: string | null, shares: OneData['shares']): string =>
  shares
    .map(share => {
      const name = share.with === me ? say(site, 'you') : (share.name ?? say(site, 'somebody'))
      const role = wordFor(site.app, share.role)
      return share.until === null
        ? say(site, 'shareOne', { name, role })
        : say(site, 'shareOneUntil', { name, role, until: site.reader.format.date(share.until) })
    })
    .join('; ')
