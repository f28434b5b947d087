/** A document into the whole App: the one door of this layer. */
import './catalogues.ts'

import { rawCell, splitCell } from '../document/cell.ts'
import { reporter } from '../document/diagnostic.ts'
import { readDocument } from '../document/markdown.ts'
import type { Cell, SourceFile } from '../document/source.ts'
import { UTC } from '../expression/calendar.ts'
import type { Checked } from '../expression/checked.ts'
import { partsOf } from '../expression/computed.ts'
import { readAssistants, readAssistantsAsk, readDocumentFor } from './1-product/document-for.ts'
import { readProduct } from './1-product/read.ts'
import { readSignUpAs } from './1-product/sign-up.ts'
import { leaveUntranslated } from './1-product/untranslated.ts'
import { assumesScreens, completeScreens } from './2-screens/assumed.ts'
import { readScreens, screenNames } from './2-screens/read.ts'
import { declareEntities, entityNames } from './3-entities/declare.ts'
import { readExchange } from './3-entities/exchange.ts'
import { readEntities } from './3-entities/read.ts'
import { checkSamples } from './3-entities/samples.ts'
import { readShapes } from './3-entities/shape.ts'
import { declareWorkflows } from './4-states/declare.ts'
import { callEffects, readEffects } from './4-states/effects.ts'
import { withFreezing } from './4-states/freezing.ts'
import { readWorkflows } from './4-states/read.ts'
import { readSweeps } from './4-states/sweeps.ts'
import { readTimers } from './4-states/timers.ts'
import { readRules, ruleNames } from './5-validation/read.ts'
import { declareRoles, readRoleRows, roleNames } from './6-permissions/declare.ts'
import { readAccess } from './6-permissions/read.ts'
import { readSectionKeys } from './6-permissions/section-keys.ts'
import { callNames, declareCalls, mailNames } from './7-calls/declare.ts'
import { readMails, readSettings } from './7-calls/mails.ts'
import { readQuietHours } from './7-calls/quiet.ts'
import { readCalls, withTriggers } from './7-calls/read.ts'
import { readReceives } from './7-calls/receives.ts'
import { readSendAgain } from './7-calls/send-again.ts'
import { declareErrors, errorNames, readErrors } from './8-errors/read.ts'
import { declareLimits, readLimits, readOnDays, withUses } from './9-limits/read.ts'
import { calendarOf, declareWorkingTime, readWorkingTime } from './9-limits/working-time.ts'
import { acceptWarnings } from './accepted.ts'
import type { App, Reading, Tree } from './app.ts'
import { askedOfMany } from './asked.ts'
import {
  acceptAssumptions,
  completeAccess,
  keepAssumptions,
  peopleAssumptions,
  productAssumptions,
} from './assumptions.ts'
import { reported } from './cascades/reported.ts'
import { checkApp } from './check.ts'
import { codeFilesOf, decidedInCode, readFunctions } from './code/read.ts'
import { commonCodes } from './codes.ts'
import type { Context } from './context.ts'
import { withDeciders } from './deciders.ts'
import { type Gap, gapTexts } from './gaps/gap.ts'
import { mended } from './recovery/headings.ts'
import { readScenarios } from './scenarios.ts'
import { checkStructure } from './structure.ts'
import { leaveHeadingsOpen } from './undecided.ts'

interface ReadOptions {
  /** Gives the document its version: of all files, in reading order. Absent: the version is empty. */
  readonly version?: (files: readonly SourceFile[]) => string
  /** Gives a file's bytes, or null where there is none. Absent: the text of `load`. */
  readonly bytes?: (path: string) => Uint8Array | null
}

/**
 * Reads and checks a document. `root` is the path of its root file; `load` gives a file's text, or null where there is none.
 * Never throws for what a document says. `app` is null only where the root file cannot be read; an App that was read beside errors
 * is for tools: what could not be understood is closed in it, but it is not to be served.
 */
export function readApp(root: string, load: (path: string) => string | null, options: ReadOptions = {}): Reading {
  const { document: asWritten, found: foundInForm } = readDocument(root, load)
  const { files } = asWritten
  if (foundInForm.some(({ code }) => code === 'N0001'))
    return { app: null, files, samples: new Set(), found: foundInForm }
  const found = [...foundInForm]
  const document = mended(asWritten, found)
  const context = newContext(document, found, load, options.bytes ?? (path => textBytes(load(path))))
  const title = document.title ?? rawCell(files[0]!, 0, 0)

  checkStructure(context)
  // Names first, because everything may name everything.
  const limitRows = declareLimits(context)
  const permissionParts = declareRoles(context)
  declareEntities(context, startOf(files[0]!))
  declareWorkflows(context)
  readFunctions(context)
  const settingRows = declareCalls(context)
  declareErrors(context)

  // Then types, then everything that is an expression.
  const product = readProduct(context, title)
  context.tenant = product.tenant
  const working = declareWorkingTime(context)
  context.calendar = calendarOf(product.timeZone.name, product.languages[0]!.tag, working)
  readLimits(context, limitRows)
  readShapes(context)
  context.exchange = readExchange(context)
  const workingTime = readWorkingTime(context, working)
  const entities = readEntities(context)
  checkSamples(context, entities)
  const roles = readRoleRows(context)
  const stepped = readWorkflows(context)
  const effects = readEffects(context)
  const timers = readTimers(context)
  const sweeps = readSweeps(context, timers)
  const rules = readRules(context)
  const written = readAccess(context, permissionParts)
  const calls = readCalls(context)
  const mails = readMails(context, roles, product)
  const declared = readScreens(context, product.translations)
  // When it is known who raises them.
  const errors = readErrors(context, product.translations)
  const receives = readReceives(context, entities)
  const scenarios = readScenarios(context, { screens: declared, receives })
  const settings = readSettings(context, settingRows)
  const sendAgain = readSendAgain(context, title, roles)
  const { readLog, personalDataFor, secondFactor, actAs } = readSectionKeys(context, title, roles)
  const assistants = readAssistants(context, product.assistants)
  const assistantsAsk = readAssistantsAsk(context, product.assistantsAsk)
  const documentFor = readDocumentFor(context, product.documentFor, product.cell)
  const signUpAs = readSignUpAs(context, product.signUp?.as ?? null, product.cell)

  const { access, assumptions } = completeAccess(context, written, entities)
  const assumed = [
    ...product.accepted,
    ...document.properties
      .filter(({ key }) => /^assume$/i.test(key.text))
      .flatMap(({ value }) => splitCell(value, ',')),
  ]
  const accepted = assumed.filter(({ text }) => text !== assumesScreens)
  const language = product.languages[0]?.tag ?? 'en'
  const how = { isAssumed: accepted.length < assumed.length, language }
  leaveHeadingsOpen(context, title, how.isAssumed)
  const { screens, assumptions: ofScreens } = completeScreens(context, declared, entities, access, how)
  const unlisted: App = {
    document,
    name: document.title?.text ?? root,
    title,
    version: options.version?.([...files, ...codeFilesOf(context), ...context.sampleFiles.values()]) ?? '',
    language,
    product: { ...product, accepted },
    screens,
    entities: withDeciders(entities, stepped),
    schema: context.schema,
    trees: treesOf(context),
    workflows: withTriggers(withFreezing(stepped, entities, context.schema), calls),
    effects: [...effects, ...callEffects(calls)],
    timers,
    sweeps,
    rules,
    roles,
    access,
    calls,
    mails,
    settings,
    sendAgain,
    quietHours: readQuietHours(context, title),
    readLog,
    secondFactor,
    personalDataFor,
    actAs,
    documentFor,
    assistants,
    assistantsAsk,
    signUpAs,
    receives,
    errors,
    limits: readOnDays(context),
    workingTime,
    scenarios,
    functions: context.functions,
    inCode: decidedInCode(context, screens),
    gaps: [],
    assumptions: acceptAssumptions(
      context,
      [
        ...productAssumptions(product),
        ...keepAssumptions(entities),
        ...assumptions,
        ...peopleAssumptions(access, roles),
        ...ofScreens,
      ],
      accepted,
    ),
  }
  leaveUntranslated(context, unlisted)
  const app: App = { ...unlisted, gaps: gapsOf(context) }
  const expressions = context.expressions.map(({ expression }) => expression)
  for (const [entity, asked] of askedOfMany(app, expressions))
    context.schema.set(entity, { ...context.schema.get(entity)!, asked })
  checkApp(context, app)
  acceptWarnings(context, product.acceptedWarnings)
  const { report } = reporter(commonCodes, 0, context.found)
  for (const gap of app.gaps) report('N1002', gap.cell, gapTexts(gap))
  const samples = new Set(context.sampleFiles.values())
  return { app, files: [...files, ...samples], samples, found: reported(context) }
}

const textBytes = (text: string | null): Uint8Array | null => (text === null ? null : new TextEncoder().encode(text))

function newContext(
  document: Context['document'],
  found: Context['found'],
  load: Context['load'],
  bytes: Context['bytes'],
): Context {
  return {
    document,
    found,
    entities: entityNames({ found }),
    entityByKey: new Map(),
    typed: new Map(),
    schema: new Map(),
    limitShapes: new Map(),
    limits: new Map(),
    workflows: new Map(),
    effectRows: [],
    timerRows: [],
    sweepRows: [],
    roles: roleNames({ found }),
    rules: ruleNames({ found }),
    calls: callNames({ found }),
    mails: mailNames({ found }),
    errors: errorNames({ found }),
    screens: screenNames({ found }),
    settingNames: new Set(),
    expressions: [],
    failures: [],
    codeFiles: new Map(),
    sampleFiles: new Map(),
    load,
    bytes,
    functions: new Map(),
    usedRoles: new Set(),
    raised: new Map(),
    gaps: [],
    calendar: UTC,
    tenant: null,
    exchange: undefined,
  }
}

/** Where nothing climbs, a reference to its own kind that is named `parent` says by its name that it leads upwards. */
function treesOf({ expressions, typed }: Context): App['trees'] {
  const trees = new Map<string, Tree>()
  const look = (node: Checked, cell: Cell): void => {
    if (node.op === 'within' && !trees.has(node.entity)) trees.set(node.entity, { field: node.parent, cell })
    for (const part of partsOf(node)) look(part, cell)
  }
  for (const { expression } of expressions) look(expression.root, expression.cell)
  for (const [key, { fields }] of typed) {
    const parent = fields.get('parent')
    const isAbove = parent?.type.kind === 'reference' && parent.type.entity === key && !parent.rules.has('follows')
    if (isAbove && !trees.has(key)) trees.set(key, { field: parent.key, cell: parent.cell })
  }
  return trees
}

const startOf = (file: SourceFile): Cell => ({ file, start: 0, end: 0, text: '', gaps: [] })

/** Gaps in the document's order, with what follows from them, which may depend on all that was read. */
function gapsOf(context: Context): readonly Gap[] {
  const { files } = context.document
  return context.gaps
    .map(gap => withUses(context, gap))
    .sort((a, b) => files.indexOf(a.cell.file) - files.indexOf(b.cell.file) || a.cell.start - b.cell.start)
}
