import { serveDesk } from '../desk.ts'
import type { Job } from '../load.ts'
import type { Start } from './peer.ts'

export const ninefold: Start = async desk => {
  const port = 4120
  await desk.start('ninefold', port, serveDesk, { WEB_PROCESSES: '2', SHUTDOWN_DELAY: '0' })
  await desk.caughtUp()
  const asked = (path: string): Job => ({
    method: 'GET',
    url: `http://127.0.0.1:${port}${path}`,
    headers: { cookie: `ninefold=${desk.manager}`, host: `localhost:${port}`, 'accept-encoding': 'identity' },
  })
  return {
    name: 'Ninefold',
    pid: desk.children.get('ninefold')!.pid!,
    list: asked('/loans?state=Out&sort=-due_back'),
    one: ({ number }) => asked(`/loans/${number}`),
    end: () => desk.end('ninefold'),
  }
}
