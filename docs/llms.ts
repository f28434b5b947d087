/**
 * `llms.txt`, the contents of these pages for assistants (llmstxt.org), and the list of decisions, made from titles and first sentences:
 * `node scripts/run.mjs docs/llms.ts` writes them anew, and `llms.test.ts` fails where they say something else.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import manifest from '../package.json' with { type: 'json' }

const docs = new URL('.', import.meta.url)
const text = (path: string): string => readFileSync(new URL(path, docs), 'utf8')

/** Four characters to a token, which is what English prose and tables come to in the usual tokenizers. */
export const tokensOf = (path: string): number => Math.ceil(text(path).length / 4)

/** What whoever works on Ninefold itself reads. */
const forUs = ['architecture.md', 'dependencies.md', 'words.md']

export const pagesIn = (folder: string): readonly string[] =>
  readdirSync(new URL(folder, docs))
    .filter(name => name.endsWith('.md'))
    .map(name => folder + name)
    .sort()

/** `- [Title](path): what its first sentence says.` */
function entry(path: string): string {
  const page = text(path)
  const title = /^# (.+)$/m.exec(page)![1]!
  const first = page
    .split(/\n{2,}/)
    .find((part, index) => index > 0 && /^[\p{L}`[*]/u.test(part) && !/^\* /.test(part))!
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
  return `- [${title}](${path}): ${/^.*?[.:](?= |$)/.exec(first)?.[0].replace(/:$/, '.') ?? first}`
}

/** The decisions by number, newest last. */
export function decisionsPage(): string {
  const rows = pagesIn('decisions/')
    .filter(path => path !== 'decisions/README.md')
    .map(path => `- [${/^# (.+)$/m.exec(text(path))![1]}](${path.slice('decisions/'.length)})`)
  return `# Decisions\n\nWhat nobody could guess from the code, and what was given up for it.\n\n${rows.join('\n')}\n`
}

export function llmsText(): string {
  const section = (title: string, paths: readonly string[]) => `## ${title}\n\n${paths.map(entry).join('\n')}`
  const core = 'language/core.md'
  const language = pagesIn('language/').filter(path => path !== core)
  const rest = [...pagesIn(''), 'approvals/README.md'].filter(path => !forUs.includes(path)).sort()
  return [
    '# Ninefold',
    `> ${manifest.description}`,
    `To write or change a document, read [The language in one page](${core}), about ${(Math.ceil(tokensOf(core) / 1000) * 1000).toLocaleString('en')} tokens; it is enough for an ordinary application. Each finding of \`npx ninefold check\` says what to write instead, and \`npx ninefold explain N1234\` prints the article on its code.`,
    section('The language', [core, ...language]),
    section('Using it', rest),
    section('Optional', [...forUs, 'codes/README.md']),
    '',
  ]
    .join('\n\n')
    .replace(/\n\n$/, '\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('llms.txt', docs), llmsText())
  writeFileSync(new URL('decisions/README.md', docs), decisionsPage())
}
