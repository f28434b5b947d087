import { expect, inject, test } from 'vitest'
import { applyMigration, planMigration } from '../../store/migrate.ts'
import { createTestDatabase } from '../../store/testing.ts'
import { readImported } from '../testing.ts'
import { importJdl } from './import.ts'

const text = `
  entity Product { name String required minlength(3), price BigDecimal required min(0), size Size }
  entity Customer { email String required unique pattern(/^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$/) }
  enum Size { S, M, L }
  relationship OneToOne { Customer{user(login) required} to User }
  relationship ManyToMany { Product{customer} to Customer{product} }`

test('the tables of an imported document are made, and then nothing is left to do', async () => {
  const imported = importJdl(text, 'shop.jdl')
  if ('mistake' in imported) throw new Error(imported.mistake)
  const { app } = readImported(imported.document)
  const { store, drop } = await createTestDatabase(inject('databaseUrl'))
  try {
    expect((await applyMigration(store, app, null, { now: new Date() })).kind).toBe('applied')
    expect((await planMigration(store, app)).steps).toEqual([])
  } finally {
    await drop()
  }
})
