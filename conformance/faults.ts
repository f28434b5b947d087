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

const edit = (file: string, from: string, to: string): Edit => ({ file, from, to })

const rowRule = 'return anyOf(rowsOf(entity).map(row => granted(entity, row[verb], alias)))'
const asSeen = (verb: string) => `if (verb === '${verb}') return rows(entity, 'see', alias)\n    ${rowRule}`
const addressReadsAll = edit('kinds/screens/query.ts', 'sees(entity.key, key)', 'true')

/** The list of states that the guarded statement asks for is longer than the document's. */
const anyState = edit(
  'run/step.ts',
  "columnSql('t', 'state')} = any(",
  "columnSql('t', 'state')} = any(array['Draft', 'Requested', 'Approved', 'Out', 'Overdue', 'Returned', 'Declined'] || ",
)

export const faults: Readonly<Record<string, readonly Edit[]>> = {
  // Reading.
  'rows are shown to everybody': [
    edit('run/allow.ts', 'return anyOf(rowsOf(entity).map(row => seen(entity, row, alias)))', 'return true'),
  ],
  'what nobody may is forgotten': [
    edit('run/allow.ts', 'if (closed === undefined || !closes(closed)) return null', 'return null'),
  ],
  'hidden fields are shown': [edit('run/allow.ts', 'if (isHidden(entity, name)) return false', '')],
  'fields are shown to everybody': [edit('run/allow.ts', 'if (isUnspecified(line.see)) return false', 'return true')],
  'a field seen on some rows is shown on all': [
    edit('run/allow.ts', 'blind.length === 0 ? condition !== false : condition', 'condition !== false'),
  ],
  'filters ask no permission': [
    addressReadsAll,
    edit('run/filter.ts', '? false : allow.field(entity, own, alias)', '? false : (true as Condition)'),
  ],
  'sorting asks no permission': [
    addressReadsAll,
    edit('run/order.ts', 'const seen = allow.field(entity, field, alias)', 'const seen = true as boolean | Sql'),
  ],
  'search asks no permission': [
    edit('run/filter.ts', 'const seen = allow.field(entity, key, alias)', 'const seen = true as Condition'),
  ],
  'counts are of all rows': [edit('run/read.ts', 'countSql(entity, shown(), ', 'countSql(entity, true, ')],
  'labels name what may not be seen': [
    edit('run/select.ts', 'const seen = allow.names(entity, alias)', 'const seen = true'),
  ],
  'a print tells what may not be seen': [
    edit('run/told.ts', 'const seen = readable(app, allow, root, alias)', 'const seen = true as boolean | Sql'),
  ],
  'the history names what may not be seen': [
    edit('run/history.ts', "const seen = allow.names(target, 'r')", 'const seen = true'),
  ],
  'the history has every field': [
    edit('run/history.ts', 'const isTold = key in row.values || ', 'const isTold = true || '),
  ],
  'the history has every field of rows': [
    edit('run/history.ts', "allow.field(list.entity, key, 't') === true).map", 'true).map'),
  ],
  'archived records stand among the others': [
    edit('run/archived.ts', 'if (archives(app, entity)) return sql', "if (entity === '') return sql"),
  ],
  'pickers offer everything': [
    edit('run/form.ts', "allow.rows(target, 'see', 't') : allow.names(target, 't')", 'true as boolean | Sql : true'),
  ],
  'a write tells whether a record is there': [
    edit(
      'run/step.ts',
      'if (locked === null || !locked.sees) return notFound(app)',
      'if (locked === null) return notFound(app)',
    ),
  ],
  // Writing.
  'records may be changed by whoever sees them': [edit('run/allow.ts', rowRule, asSeen('change'))],
  'records may be deleted by whoever sees them': [edit('run/allow.ts', rowRule, asSeen('delete'))],
  'fields may be set by whoever changes the record': [
    edit('run/allow.ts', 'if (change === null) return when', 'return true'),
  ],
  'what steps and calls set can be set by hand': [
    edit('run/settable.ts', 'if (field.setBy !== null) return field.setBy.cell', ''),
  ],
  'what is read-only can be changed': [
    edit(
      'run/settable.ts',
      "if (field.readOnly !== null && (field.readOnly.after === 'always' || verb === 'change'))",
      'if (verb === null)',
    ),
  ],
  'what is copied can be written': [
    edit('run/settable.ts', 'if (field.copiedFrom !== null) return field.copiedFrom.cell', ''),
  ],
  'anybody who sees a record takes its steps': [
    edit(
      'run/allow.ts',
      "const byRole = (role: string) => who.kind === 'everyone signed in' || who.roles.includes(role)",
      'return true',
    ),
  ],
  'steps ask no guard': [edit('run/step.ts', "when === null ? true : openSql(when, 't'),", '')],
  'steps start from any state': [
    edit('run/step.ts', '!isUnspecified(to) && from.includes(state)', '!isUnspecified(to)'),
    anyState,
  ],
  'steps ask no rule': [
    edit('run/step.ts', 'if (checked.problems.length > 0) return refused(await seen(checked.problems))', ''),
  ],
  'refusals are not undone': [
    edit('run/writing.ts', "return made.kind === 'done' ? made : tx.abandon(made)", 'return made'),
  ],
  // At the same moment.
  'a repeat is a new request': [edit('web/once.ts', 'if (claimed === 1) return null', 'if (claimed < 2) return null')],
  'a key serves any request': [
    edit(
      'web/once.ts',
      'if (row === undefined || !row.request_hash.equals(hash)) throw new KeyReused()',
      'if (row === undefined) return null',
    ),
  ],
  'steps are read first and written later': [
    edit('run/record.ts', '::uuid for no key update of t`', '::uuid`'),
    anyState,
    edit('run/step.ts', "columnSql('t', 'version')} = ", "columnSql('t', 'version')} >= "),
  ],
  'versions are not compared': [
    edit(
      'run/write.ts',
      `if (version !== null && version !== locked.version) return await stale(tx, app, request, allow, entity, locked)
    await loadChildren(tx, app, entity, [locked.record])
    const old`,
      `await loadChildren(tx, app, entity, [locked.record])
    const old`,
    ),
  ],
  'numbers are read first and written later': [
    edit(
      'run/persist.ts',
      'do update set value = c.value + excluded.value',
      'do update set value = greatest(c.value, excluded.value)',
    ),
  ],
  // Through crashes.
  'writes are acknowledged before they are committed': [
    edit(
      'store/pool.ts',
      "await plain('commit')",
      `const release = client.release.bind(client)
      client.release = () => void setTimeout(() => void client.query('commit').then(() => release()), 40)`,
    ),
  ],
  'what leaves is written past the transaction': [
    edit('run/outbox.ts', '{ app, wake }: Runtime', '{ app, wake, store }: Runtime'),
    edit('run/outbox.ts', 'await tx.write(insertEntry', 'await store.run(insertEntry'),
    // So that a blow falls in between, however fast the machine is: the writers shall not keep step.
    edit('store/pool.ts', "await plain('commit')", "await wait(Math.random() * 120).then(() => plain('commit'))"),
  ],
  'every attempt has a key of its own': [
    edit('run/deliver.ts', 'idempotencyKey: row.repeat_key', "idempotencyKey: row.repeat_key + '-' + row.attempts"),
  ],
  // Input.
  'what the database cannot hold is sent to it': [
    edit('run/values.ts', "wire.includes('\\0') || !wire.isWellFormed()", 'false'),
    edit('web/records.ts', "text.isWellFormed() && !text.includes('\\0')", 'true'),
  ],
  'places in lists are not looked at': [edit('run/order.ts', 'fits(type, place[index])', 'true')],
  'the next page may be anywhere': [
    edit(
      'web/next.ts',
      'if (given === null || given === undefined || given.length > longestNext) return fallback',
      'return given ?? fallback',
    ),
  ],
  'a link confirms any address': [edit('web/routes/unconfirmed.ts', 'mailbox.equals(hashOf(address))', 'true')],
  'a frame knows who is signed in': [
    edit(
      'web/dispatch.ts',
      'readCookies(embedded ? undefined : arrival.headers.cookie)',
      'readCookies(arrival.headers.cookie)',
    ),
  ],
  'a frame takes what comes from anywhere': [edit('web/dispatch.ts', " || (embedded && origin !== 'own')", '')],
  'the mailbox of anybody can be filled': [
    edit('run/unconfirmed.ts', 'if (Number(counted!.here) >= formsOfMailbox) return kept', ''),
  ],
  'files are kept unseen by the scanner': [edit('run/files.ts', "if (scanned.kind !== 'clean') return scanned", '')],
}
