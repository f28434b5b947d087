/**
 * Defences, each with the edit of the sources that removes it. A test that guards one must fail on the build without it; else it
 * proves nothing. `from` stands in the file exactly once.
 */

export interface Edit {
  /** Below `src/`. */
  readonly file: string
  readonly from: string
  readonly to: string
}

export const edit = (file: string, from: string, to: string): Edit => ({ file, from, to })

const rowRule = 'return anyOf(rowsOf(entity).map(row => granted(entity, row, verb, alias)))'
const asSeen = (verb: string) => `if (verb === '${verb}') return rows(entity, 'see', alias)\n    ${rowRule}`
const addressReadsAll = edit('kinds/screens/query.ts', 'sees(entity.key, key)', 'true')

/** The list of states that the guarded statement asks for is longer than the document's. */
const anyState = edit(
  'run/write/step.ts',
  "columnSql('t', 'state')} = any(",
  "columnSql('t', 'state')} = any(array['Draft', 'Requested', 'Approved', 'Out', 'Overdue', 'Returned', 'Declined'] || ",
)

export const faults: Readonly<Record<string, readonly Edit[]>> = {
  // Reading.
  'rows are shown to everybody': [
    edit(
      'run/access/policy.ts',
      'return anyOf([...rowsOf(entity).map(row => seen(entity, row, alias)), steps.standsIn(entity, alias)])',
      'return true',
    ),
  ],
  'what nobody may is forgotten': [
    edit('run/access/policy.ts', 'cells.filter(closes).map(closed => {', 'cells.filter(() => false).map(closed => {'),
  ],
  'hidden fields are shown': [edit('run/access/policy.ts', 'if (isHidden(entity, name)) return false', '')],
  'fields are shown to everybody': [
    edit('run/access/policy.ts', 'if (isUnspecified(line.see)) return false', 'return true'),
  ],
  'versions count what is closed': [
    edit('run/access/seen-version.ts', 'if (policy.whole(entity)) return columnSql', 'return columnSql'),
  ],
  'when it was changed is told of what is closed': [
    edit(
      'run/access/policy.ts',
      "if ((name === 'changed_at' || name === 'changed_by') && !whole(entity)) return false",
      '',
    ),
  ],
  'a field seen on some rows is shown on all': [
    edit('run/access/policy.ts', 'blind.length === 0 ? condition !== false : condition', 'condition !== false'),
  ],
  'filters ask no permission': [
    addressReadsAll,
    edit('run/read/filter.ts', '? false : policy.field(entity, own, alias)', '? false : (true as Condition)'),
  ],
  'sorting asks no permission': [
    addressReadsAll,
    edit('run/read/order.ts', 'const seen = policy.field(entity, field, alias)', 'const seen = true as boolean | Sql'),
  ],
  'search asks no permission': [
    edit('run/read/filter.ts', 'const seen = policy.field(entity, key, alias)', 'const seen = true as Condition'),
  ],
  'counts are of all rows': [edit('run/read/read.ts', 'countSql(entity, shown(), ', 'countSql(entity, true, ')],
  'labels name what may not be seen': [
    edit('run/read/select.ts', 'const seen = policy.names(entity, alias)', 'const seen = true'),
  ],
  'a print tells what may not be seen': [
    edit('run/access/told.ts', 'const seen = readable(app, policy, root, alias)', 'const seen = true as boolean | Sql'),
  ],
  'the history names what may not be seen': [
    edit('run/read/history.ts', "const seen = policy.names(target, 'r')", 'const seen = true'),
  ],
  'the history has every field': [
    edit('run/read/history.ts', 'const isTold = key in row.values || ', 'const isTold = true || '),
  ],
  'the history has every field of rows': [
    edit('run/read/history.ts', "policy.field(row, key, 't') === true).map", 'true).map'),
  ],
  'archived records stand among the others': [
    edit('run/access/archived.ts', 'if (archives(app, entity)) return sql', "if (entity === '') return sql"),
  ],
  'pickers offer everything': [
    edit(
      'run/read/options.ts',
      "policy.rows(target, 'see', 't') : anyOf([nameable(policy, target, 't'), already])",
      'true as boolean | Sql : true',
    ),
  ],
  'a write tells whether a record is there': [
    edit(
      'run/write/step.ts',
      'if (locked === null || !locked.sees) return notFound(app)',
      'if (locked === null) return notFound(app)',
    ),
  ],
  'references tell which record they name': [edit('run/read/select.ts', 'closes ? seenIn(own, named) : own', 'own')],
  'what is not seen is known when it is sent': [
    edit(
      'run/write/input.ts',
      'linked(held.value).map(id => (ids.includes(id)',
      "linked(held.value).map(id => (ids.includes('')",
    ),
  ],
  'a tag is of the version alone': [
    edit(
      'web/api/records.ts',
      ".update(JSON.stringify(json)).digest('base64url')",
      ".update(json.id as string).digest('base64url')",
    ),
  ],
  // Writing.
  'rules speak before the permission': [
    edit(
      'run/write/prepare-write.ts',
      'if (refused.length > 0) return',
      "if (entity === '' && refused.length > 0) return",
    ),
    edit(
      'run/write/prepare-write.ts',
      '...assigned, ...checked.problems]',
      '...assigned, ...checked.problems, ...refused]',
    ),
  ],
  'the record as it would be is not asked about': [
    edit('run/write/authorised.ts', 'if (!decides(app, request, entity, changed)) return', "if (entity !== '') return"),
  ],
  'rows as they would be are not asked about': [
    edit('run/write/authorised.ts', '!hasOwnRights(app, of) || policy.mayBecome(of, resultAlias, led)', 'true'),
  ],
  'what nobody may change is led to': [edit('run/access/policy.ts', "exceptionsTo(entity, 'changeTo', alias),", '')],
  'whoever leads some records further leads all': [
    edit('run/access/policy.ts', '.filter(({ role }) => leading.includes(role))', ''),
  ],
  'what is denied is given a number': [
    edit('run/write/numbers.ts', 'gapless !== null || isJudged(app, entity, field)', 'gapless !== null'),
  ],
  'what is denied claims its key': [
    edit('run/write/writing.ts', "if (made.kind === 'done') return made\n", 'if (made !== null) return made\n'),
    edit(
      'web/idempotency.ts',
      "if (outcome.kind !== 'done') return tx.abandon(outcome)",
      "if (outcome.kind !== 'done') return outcome",
    ),
  ],
  'a repeat is told of the record as it is': [
    edit(
      'web/api/records.ts',
      '...(outcome.told ?? (await keepFirstResponse(runtime.store, key, await answer(outcome))))',
      '...(await answer(outcome))',
    ),
  ],
  'a signed message is good for any key': [
    edit('web/api/receive.ts', "if (proof.kind === 'key') return null", 'if (proof.kind.length > 0) return null'),
  ],
  'records may be changed by whoever sees them': [edit('run/access/policy.ts', rowRule, asSeen('change'))],
  'records may be deleted by whoever sees them': [edit('run/access/policy.ts', rowRule, asSeen('delete'))],
  'fields may be set by whoever changes the record': [
    edit('run/access/policy.ts', 'if (change === null) return when', 'return true'),
  ],
  'what steps and calls set can be set by hand': [
    edit('run/access/settable.ts', 'if (field.setBy !== null) return field.setBy.cell', ''),
  ],
  'what is read-only can be changed': [
    edit(
      'run/access/settable.ts',
      "if (field.readOnly !== null && (field.readOnly.after === 'always' || verb === 'change'))",
      'if (verb === null)',
    ),
  ],
  'what is copied can be written': [
    edit('run/access/settable.ts', 'if (field.copiedFrom !== null) return field.copiedFrom.cell', ''),
  ],
  'anybody who sees a record takes its steps': [
    edit(
      'run/access/step-policy.ts',
      "const byRole = (role: string) => who.kind === 'everyone signed in' || who.roles.includes(role)",
      'return true',
    ),
  ],
  'steps ask no guard': [edit('run/write/step.ts', "when === null ? true : openSql(when, 't'),", '')],
  'steps start from any state': [
    edit('run/write/step.ts', '!isUnspecified(to) && from.includes(state)', '!isUnspecified(to)'),
    anyState,
  ],
  'steps ask no rule': [
    edit('run/write/step.ts', 'if (checked.problems.length > 0) return refusedStep(stepping, checked.problems)', ''),
  ],
  'refusals are not undone': [
    edit('run/write/writing.ts', "if (made.kind === 'done') return made\n", 'if (made !== null) return made\n'),
  ],
  // At the same moment.
  'a repeat is a new request': [
    edit('web/idempotency.ts', 'if (claimed === 1) return null', 'if (claimed < 2) return null'),
  ],
  'a key serves any request': [
    edit(
      'web/idempotency.ts',
      'if (row === undefined || !row.request_hash.equals(hash)) throw new KeyReused()',
      'if (row === undefined) return null',
    ),
  ],
  'steps are read first and written later': [
    edit('run/write/record.ts', '::uuid for no key update of t`', '::uuid`'),
    anyState,
    edit('run/write/step.ts', "columnSql('t', 'version')} = ", "columnSql('t', 'version')} >= "),
  ],
  'versions are not compared': [
    edit(
      'run/write/write.ts',
      `if (version !== null && version !== locked.seenVersion) return await stale(scope, entity, locked)
    await loadChildren(tx, app, entity, [locked.record])
    const old`,
      `await loadChildren(tx, app, entity, [locked.record])
    const old`,
    ),
  ],
  'numbers are read first and written later': [
    edit(
      'run/write/numbers.ts',
      'do update set value = c.value + excluded.value',
      'do update set value = greatest(c.value, excluded.value)',
    ),
  ],
  // Through crashes.
  'writes are acknowledged before they are committed': [
    edit(
      'store/transaction.ts',
      'const { command } = await sent(commit)',
      `await (tx as Tx).arrived()
        const release = client.release.bind(client)
        client.release = () => void setTimeout(() => void client.query('commit').then(() => release()), 40)
        const command: string = 'COMMIT'`,
    ),
  ],
  'what leaves is written past the transaction': [
    edit('run/later/outbox.ts', '{ app, wake }: Runtime', '{ app, wake, store }: Runtime'),
    edit('run/later/outbox.ts', 'tx.writeAhead(insertEntry', 'await store.run(insertEntry'),
    // So that a blow falls in between, however fast the machine is: the writers shall not keep step.
    edit(
      'store/transaction.ts',
      'await sent(commit)',
      'await new Promise(go => setTimeout(go, Math.random() * 120)).then(() => sent(commit))',
    ),
  ],
  'every attempt has a key of its own': [
    edit(
      'run/later/deliver.ts',
      'idempotencyKey: row.repeat_key',
      "idempotencyKey: row.repeat_key + '-' + row.attempts",
    ),
  ],
  // Input.
  'what the database cannot hold is sent to it': [
    edit('kinds/fields/texts.ts', "text.isWellFormed() && !text.includes('\\0')", 'true'),
    // What slips through all the same is answered as what it is.
    edit('store/failures.ts', "codeOf(error) === '22021'", 'false'),
  ],
  'places in lists are not looked at': [edit('run/read/order.ts', 'fits(type, place[index])', 'true')],
  'the next page may be anywhere': [
    edit(
      'web/sign-in/next.ts',
      'if (given === null || given === undefined || given.length > longestNext) return fallback',
      'return given ?? fallback',
    ),
  ],
  'a link confirms any address': [edit('web/routes/unconfirmed.ts', 'mailbox.equals(hashOf(address))', 'true')],
  'a frame knows who is signed in': [
    edit(
      'web/request/authenticate.ts',
      'readCookies(embedded ? undefined : incoming.headers.cookie)',
      'readCookies(incoming.headers.cookie)',
    ),
  ],
  'a frame takes what comes from anywhere': [
    edit('web/request/receive-form.ts', " || (embedded && origin !== 'own')", ''),
  ],
  'the mailbox of anybody can be filled': [
    edit('run/write/unconfirmed.ts', 'if (Number(counted!.here) >= formsOfMailbox) return kept', ''),
  ],
  'files are kept unseen by the scanner': [
    edit('run/read/files.ts', "if (scanned.kind !== 'clean') return scanned", ''),
  ],
  // In a document of their own.
  'a link is of every record': [edit('run/access/policy.ts', 'ofBound(app, entity, row.role, alias),', 'true,')],
  'links never end': [
    edit(
      'run/people/case-links.ts',
      '  now: Date,\n): Promise<Case | null> {',
      '  now: Date,\n): Promise<Case | null> {\n  now = new Date(0)',
    ),
  ],
  'what is append only is like anything else': [
    edit('store/append-only.ts', 'if (cell === null) return []', 'if (cell === null || table !== null) return []'),
  ],
  'sums do not follow changes of rows': [
    edit('store/plan/keep.ts', `['update', 'referencing old table as "went$" new table as "came$"'],`, ''),
  ],
  'sums are worked out side by side': [
    edit('store/plan/keep.ts', 'where "id" = one$ for no key update;', 'where false;'),
  ],
  'a percentage is a number': [
    edit(
      'kinds/fields/percent/field.ts',
      'formatDecimal({ units, scale: scale + 2 }, ',
      'formatDecimal({ units, scale }, ',
    ),
  ],
  'the database holds any percentage': [
    edit('kinds/fields/percent/field.ts', 'sql`scale(trim_scale(', 'sql`0 * scale(trim_scale('),
  ],
  'rules of fields search nothing': [
    edit('run/write/searches.ts', 'if (made.length === 0) return false', 'return false'),
  ],
  'rows are chosen once': [
    edit('run/write/conflicts.ts', '!isSame(one.above, decidedAbove(field, one.parent))', 'one.above === null'),
  ],
  'sessions outlast the right to sign in': [
    edit('run/people/present.ts', "if (app.entities.get('person')!.signInWhen === null) return open", 'return open'),
  ],
  'anybody with an account may sign in': [
    edit('run/people/present.ts', "if (app.entities.get('person')!.signInWhen === null) return true", 'return true'),
  ],
  // What a request may cost.
  'marks are put into order however many they are': [
    edit('kinds/fields/texts.ts', '(tooManyMarks.test(text) ? text : text.normalize(', '(text.normalize('),
    edit('kinds/fields/texts.ts', ' ?? tooManyMarks.exec(trimmed)', ''),
  ],
  'Markdown is read from its beginning for every letter': [
    edit(
      'kinds/fields/markdown/rich.ts',
      'const tokens = parser.parse(text, {})',
      'for (const letter of text) text.lastIndexOf(`\\u0001` + letter)\n  const tokens = parser.parse(text, {})',
    ),
  ],
  'a form is looked through for every part': [
    edit(
      'web/uploads.ts',
      'if (!isTooMuch) form.append(name, value)',
      'for (let times = 0; times < 200; times++) form.getAll(value)\n    form.append(name, value)',
    ),
  ],
  'numbers of JSON are read to their end': [
    edit('kinds/fields/numbers.ts', "numberText(written) ?? ''", 'numberText(written) ?? written'),
  ],
}
