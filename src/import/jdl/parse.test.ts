import { expect, test } from 'vitest'
import { parseJdl } from './parse.ts'

const mistakeIn = (text: string) => {
  const reading = parseJdl(text)
  return 'mistake' in reading ? `${reading.place.line}:${reading.place.column} ${reading.mistake}` : null
}

const read = (text: string) => {
  const reading = parseJdl(text)
  if ('mistake' in reading) throw new Error(reading.mistake)
  return reading.model
}

test.each([
  ['entitty Book {}', '1:1 there is no statement `entitty`; did you mean `entity`?'],
  ['entity {', '1:8 `{` stands where the name of an entity is expected'],
  ['entity Book {\n  title\n}', '3:1 `}` stands where the type of title is expected'],
  ['entity Book {\n  title String', '2:15 the file ends where the name of a field, or `}` is expected'],
  ['entity Book { title String maxlength }', '1:38 `}` stands where `(` is expected'],
  ['entity Book { title String maxlength() }', '1:38 `)` stands where a number or a constant is expected'],
  ['entity Book { title String pattern("a") }', '1:36 a pattern is written between slashes: pattern(/[A-Z]+/)'],
  ['entity Book {}\nentity Book {}', '2:8 the entity Book is declared twice, first in line 1'],
  ['relationship OneToMeny { A to B }', '1:14 there is no relationship `OneToMeny`; did you mean `OneToMany`?'],
  ['relationship OneToMany { A{b} B }', '1:31 `B` stands where `to` is expected'],
  ['enum Size { S, M', '1:17 the file ends where a value of the enum, or `}` is expected'],
  ['MIN = many', '1:7 `many` stands where the number that MIN stands for is expected'],
  ['/* never\nended', '1:1 this comment never ends'],
  ['application { config { baseName a }', '1:36 the file ends where `}` is expected'],
  ['paginate', '1:1 there is no statement `paginate`'],
])('what is wrong with %j is said with its place', (text, said) => {
  expect(mistakeIn(text)).toBe(said)
})

test('an empty text says nothing', () => {
  expect(read('// nothing\n')).toMatchObject({ entities: [], enums: [], relationships: [], options: [] })
})

test('commas between fields are optional, and comments of documentation belong to what they stand beside', () => {
  const { entities } = read(`
    // not for readers
    /**
     * A book.
     * Printed.
     */
    @readOnly
    @dto(mapstruct)
    entity Book (t_book) {
      /** On the cover */
      title String required maxlength(100), /** and the spine */
      isbn String unique pattern(/^[0-9/]+\\/$/) /** international */
      @Id code Long min(-4) max(LIMIT)
    }
    entity Empty`)
  expect(entities).toMatchObject([
    {
      name: 'Book',
      table: 't_book',
      comment: 'A book. Printed.',
      annotations: [
        { name: 'readOnly', value: null },
        { name: 'dto', value: 'mapstruct' },
      ],
      fields: [
        {
          name: 'title',
          comment: 'On the cover and the spine',
          validations: [{ name: 'required' }, { argument: '100' }],
        },
        { name: 'isbn', comment: 'international', validations: [{ name: 'unique' }, { argument: '^[0-9/]+\\/$' }] },
        {
          name: 'code',
          comment: null,
          annotations: [{ name: 'Id' }],
          validations: [{ argument: '-4' }, { argument: 'LIMIT' }],
        },
      ],
    },
    { name: 'Empty', fields: [] },
  ])
})

test('both sides of a relationship are read, with what each says', () => {
  const { relationships } = read(`
    relationship ManyToOne {
      Ticket{assignedTo(login) required} to User with builtInEntity
      /** its parts */ Car to Wheel{car},
    }
    relationship ManyToMany { A{b} to B{a} }`)
  expect(relationships).toMatchObject([
    {
      kind: 'ManyToOne',
      from: { entity: 'Ticket', field: 'assignedTo', display: 'login', required: true },
      to: { entity: 'User', field: null },
      with: ['builtInEntity'],
    },
    { kind: 'ManyToOne', from: { entity: 'Car', comment: 'its parts' }, to: { entity: 'Wheel', field: 'car' } },
    { kind: 'ManyToMany' },
  ])
})

test('what is for JHipster alone is read over and kept as said', () => {
  const model = read(`
    application {
      config { baseName store, packageName com.example.store jwtSecretKey "a{b" languages [en, fr] }
      config(generator-jhipster-x) { deep { y 1 } }
      entities A, B except C
      paginate A with infinite-scroll
    }
    deployment { deploymentType kubernetes appsFolders [store] }
    service * with serviceClass except A
    use mapstruct, serviceImpl for A, B
    LIMIT = 50.5`)
  expect(model.applications).toMatchObject([{ baseName: 'store' }])
  expect(model.deployments).toHaveLength(1)
  expect(
    model.options.map(({ keyword, entities, with: method, except }) => [keyword, entities, method, except]),
  ).toEqual([
    ['paginate', ['A'], 'infinite-scroll', []],
    ['service', ['all'], 'serviceClass', ['A']],
    ['use', ['A', 'B'], 'mapstruct', []],
    ['use', ['A', 'B'], 'serviceImpl', []],
  ])
  expect(model.constants.get('LIMIT')).toMatchObject({ value: '50.5' })
})
