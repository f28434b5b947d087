/** What serves, loaded when something is to be served: reading a document takes neither React nor the database driver. */

/** React is in its form for development, which is several times slower, unless `NODE_ENV` says otherwise while it is loaded. */
async function load() {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  try {
    const [service, log, rehearsal] = await Promise.all([
      import('../cli/service.ts'),
      import('../cli/log.ts'),
      import('../cli/rehearsal.ts'),
    ])
    return { ...service, ...log, ...rehearsal }
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}

let loaded: ReturnType<typeof load> | null = null

/** Once, however many are served. */
export function serving(): ReturnType<typeof load> {
  loaded ??= load()
  return loaded
}
