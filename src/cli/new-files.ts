/** What a team needs beside its document, as `ninefold new` writes it: to work on it, to check each change of it, and to serve it. */

export interface Project {
  /** As in the names of files: `tool-library`. */
  readonly name: string
  readonly title: string
  /** What `package.json` names Ninefold by: `file:ninefold-0.1.0.tgz`. */
  readonly ninefold: string
  /** The packages whose install scripts have to run. */
  readonly scripted: readonly string[]
}

/** By name; a name may have folders in it. */
export const filesBeside = (project: Project): Readonly<Record<string, string>> => ({
  'package.json': manifest(project),
  'README.md': readme(project),
  'AGENTS.md': agents(project),
  '.gitignore': 'node_modules\n.ninefold\n.env\nsecrets\n',
  '.github/workflows/check.yml': github(project),
  '.gitlab-ci.yml': gitlab(project),
  Dockerfile: dockerfile(project),
  '.dockerignore': 'node_modules\n.ninefold\n.git\n.env\nsecrets\n',
  'compose.yaml': compose(project),
  [`${project.name}.service`]: unit(project),
})

function manifest({ name, ninefold, scripted }: Project): string {
  // A signal that reaches npm's shell alone ends the server, too. Windows has neither.
  const exec = process.platform === 'win32' ? '' : 'exec '
  const made = {
    name,
    private: true,
    type: 'module',
    scripts: {
      start: `${exec}ninefold dev ${name}.md`,
      test: `ninefold check ${name}.md && ninefold verify ${name}.md`,
      serve: `${exec}ninefold serve ${name}.md`,
    },
    dependencies: { ninefold },
    // Their binaries come in by a script, which newer versions of npm run only where it is allowed.
    allowScripts: Object.fromEntries(scripted.map(name => [name, true])),
  }
  return `${JSON.stringify(made, null, 2)}\n`
}

const readme = ({ name, title, ninefold }: Project): string => `# ${title}

[${name}.md](${name}.md) is the application: Ninefold serves what it says.

    npm install
    npm start      serves it on http://localhost:3000 and shows each change when you save it
    npm test       checks it, and tests that the application does what it says

\`npx ninefold\` lists the other commands. Keep \`package-lock.json\`, which \`npm install\` writes, under version control.
${isElsewhere(ninefold) ? ownPackage(ninefold.slice('file:'.length)) : ''}
| File | What it does |
| --- | --- |
| \`.github/workflows/check.yml\`, \`.gitlab-ci.yml\` | check and test each change, and say as a comment on it what it means. Remove the one that you do not use |
| \`Dockerfile\`, \`compose.yaml\` | serve it in containers, with PostgreSQL; the head of \`compose.yaml\` says how |
| \`${name}.service\` | serves it on a machine with systemd; its head says how |
`

/** Of a clone: what CI and containers do not have. */
const isElsewhere = (ninefold: string): boolean => ninefold.startsWith('file:') && ninefold.includes('/')

const ownPackage = (clone: string): string => `
Ninefold is installed from a clone on this machine. CI and containers do not have it, so put the package in here before you use them:

    npm pack ${clone}
    npm install ./ninefold-*.tgz
`

const agents = ({ name, title }: Project): string => `# Working on ${title}

[${name}.md](${name}.md) is the whole application: tables under nine headings, which Ninefold checks and serves. Nothing is generated from it; there is no other code.

- Before you write: read \`node_modules/ninefold/docs/language/core.md\`, the language in one page. What is not in it: \`node_modules/ninefold/docs/llms.txt\` lists all pages. Complete documents: \`node_modules/ninefold/examples\`.
- After each change: \`npx ninefold check ${name}.md\`. A finding says what to write instead; \`npx ninefold explain N1234\` says more about its code, \`--format json\` gives the edits that cure it.
- Before it is done: \`npm test\`, which tries every step, field and screen as every role.
- What a change means in business words: \`npx ninefold diff OLD.md ${name}.md\`. What nobody has decided yet: \`npx ninefold gaps ${name}.md\`.
- Who may do what stands under heading 6 alone. Widen it only when asked to.
- To rename a field or entity, write \`(was old_name)\` beside the new name: its data goes with it.
`

/** Shell lines that write `.ninefold/changes.md`, a comment for people. They judge nothing: a document with errors is told of in it. */
const changes = ({ name }: Project, base: string): readonly string[] => [
  `git fetch --quiet --depth=1 origin "${base}"`,
  'git worktree add --quiet --detach .ninefold/before FETCH_HEAD',
  `npx ninefold diff .ninefold/before/${name}.md ${name}.md > .ninefold/changes.txt 2>&1 || true`,
  `{ echo 'What this changes:'; echo; echo '~~~~text'; head -c 60000 .ninefold/changes.txt; echo; echo '~~~~'; } > .ninefold/changes.md`,
]

const lines = (indent: number, texts: readonly string[]): string =>
  texts.map(text => ' '.repeat(indent) + text).join('\n')

const github = (project: Project): string => `name: check
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  check:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24
          cache: npm
      - run: npm ci
      - run: npm test
  diff:
    # What comes from a fork may not comment.
    if: github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    permissions:
      contents: read
      pull-requests: write
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24
          cache: npm
      - run: npm ci --omit=optional
      - name: Say what changes
        env:
          BASE: \${{ github.event.pull_request.base.sha }}
        run: |
${lines(10, changes(project, '$BASE'))}
      - name: Comment
        env:
          GH_TOKEN: \${{ github.token }}
          CHANGE: \${{ github.event.pull_request.number }}
        run: gh pr comment "$CHANGE" --edit-last --create-if-none --body-file .ninefold/changes.md
`

const gitlab = (project: Project): string => `image: node:24

workflow:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH

check:
  script:
    - npm ci
    - npm test

# The comment needs a masked variable COMMENT_TOKEN: an access token of the project with the scope "api". Without it, this job's log says what changes.
diff:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  variables:
    BASE: $CI_MERGE_REQUEST_DIFF_BASE_SHA
  script:
    - npm ci --omit=optional
    - |
${lines(6, changes(project, '$BASE'))}
      cat .ninefold/changes.md
    - |
      if [ -n "$COMMENT_TOKEN" ]; then
        curl --fail --silent --show-error --output /dev/null --header "PRIVATE-TOKEN: $COMMENT_TOKEN" --data-urlencode body@.ninefold/changes.md \\
          "$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$CI_MERGE_REQUEST_IID/notes"
      fi
`

const dockerfile = ({
  name,
}: Project): string => `# Serves the application on port 3000, on the PostgreSQL of DATABASE_URL. The embedded one is left out.
FROM node:24-slim
WORKDIR /app
COPY package*.json *.tgz ./
RUN npm ci --omit=optional && npm cache clean --force
COPY . .
# Nobody may write the sources. Files that people send lie in /files: mount a volume there.
RUN mkdir /files && chown node:node /files
ENV FILES_URL=file:///files
USER node
EXPOSE 3000
CMD ["node_modules/.bin/ninefold", "serve", "${name}.md"]
`

const compose = ({ name }: Project): string => `# The application and its PostgreSQL. Once, before the first start:
#
#   mkdir -m 700 secrets
#   openssl rand -hex 24 > secrets/database_password
#   echo "postgres://app:$(cat secrets/database_password)@database:5432/app" > secrets/database_url
#   openssl rand -hex 32 > secrets/secrets_key
#
# Then, and after each change of the document, which 'apply' takes to the database:
#
#   docker compose up --build --detach
#
# The first person: docker compose run --rm web \\
#   node_modules/.bin/ninefold person ${name}.md --email ada@example.org --name Ada --role ROLE
name: ${name}

x-ninefold: &ninefold
  build: .
  image: ${name}
  environment:
    DATABASE_URL_FILE: /run/secrets/database_url
    SECRETS_KEY_FILE: /run/secrets/secrets_key
    PUBLIC_URL: \${PUBLIC_URL:-http://localhost:3000}
  secrets: [database_url, secrets_key]

services:
  database:
    image: postgres:18
    environment:
      POSTGRES_USER: app
      POSTGRES_DB: app
      POSTGRES_PASSWORD_FILE: /run/secrets/database_password
    secrets: [database_password]
    volumes:
      # Since PostgreSQL 18 the image keeps its data in a folder per version below this one, and no longer in "data".
      - database:/var/lib/postgresql
    healthcheck:
      # By TCP: while the database is being made, it listens on a socket alone.
      test: [CMD, pg_isready, --host=127.0.0.1, --username=app, --dbname=app]
      interval: 5s
      retries: 12
    restart: unless-stopped

  apply:
    <<: *ninefold
    command: [node_modules/.bin/ninefold, apply, ${name}.md]
    depends_on:
      database:
        condition: service_healthy

  web:
    <<: *ninefold
    depends_on:
      apply:
        condition: service_completed_successfully
    ports:
      # For a proxy with https on this machine.
      - 127.0.0.1:3000:3000
    volumes:
      - files:/files
    healthcheck:
      test: [CMD, node, -e, "fetch('http://127.0.0.1:3000/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
      interval: 10s
      start_period: 30s
    restart: unless-stopped

volumes:
  database:
  files:

secrets:
  database_password:
    file: secrets/database_password
  database_url:
    file: secrets/database_url
  secrets_key:
    file: secrets/secrets_key
`

const unit = ({
  name,
  title,
}: Project): string => `# The project lies in /srv/${name}, with 'npm ci --omit=optional' run in it; /etc/${name}.env, which root alone can read,
# has DATABASE_URL, SECRETS_KEY and PUBLIC_URL. After each change: 'npx ninefold apply ${name}.md', then restart.
[Unit]
Description=${title.replaceAll('%', '%%')}
Wants=network-online.target
After=network-online.target postgresql.service

[Service]
WorkingDirectory=/srv/${name}
Environment=FILES_URL=file:///var/lib/${name}
EnvironmentFile=/etc/${name}.env
ExecStart=/usr/bin/env node node_modules/.bin/ninefold serve ${name}.md
Restart=always
# The first process ends the others.
KillMode=mixed
# A user who exists while it runs, and writes nothing but files that people send.
DynamicUser=yes
StateDirectory=${name}

[Install]
WantedBy=multi-user.target
`
