import { PassThrough } from 'node:stream'
import { Connection } from 'pg'
import { expect, test } from 'vitest'
import { PipelinedQuery, sentOf } from './pipelined.ts'

test('a connection that ends between a commit and the end of its answer has committed', () => {
  const answered = (...commands: readonly string[]) => {
    const connection = new Connection({ stream: () => new PassThrough() })
    const told: unknown[] = []
    const statements = ['insert into word default values', 'commit'].map((text, index) => sentOf(text, [], `n${index}`))
    const query = new PipelinedQuery(statements, (error, result) => told.push(error?.message ?? result.command))
    query.submit(connection)
    for (const text of commands) query.handleCommandComplete({ text }, connection)
    query.handleError(new Error('terminating connection'), connection)
    return told
  }
  expect(answered('INSERT 0 1', 'COMMIT')).toEqual(['COMMIT'])
  expect(answered('INSERT 0 1')).toEqual(['terminating connection'])
  expect(answered('INSERT 0 1', 'ROLLBACK')).toEqual(['terminating connection'])
})
