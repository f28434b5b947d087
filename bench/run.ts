/** `npm run bench`, `npm run bench -- overload`, `npm run bench -- peers`, `npm run bench -- start OLD NEW`, `npm run bench -- changes`: see README.md. */
const benches = {
  pages: () => import('./pages.ts'),
  overload: () => import('./overload.ts'),
  peers: () => import('./peers.ts'),
  start: () => import('./start.ts'),
  changes: () => import('./changes.ts'),
} as const

const name = process.argv[2] ?? 'pages'
if (!(name in benches)) {
  console.error(`There is no benchmark named ${name}: ${Object.keys(benches).join(', ')}.`)
  process.exit(2)
}
await benches[name as keyof typeof benches]()
