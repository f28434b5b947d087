/** Every code that reading a document can give, for the pages in `docs/codes` and for `ninefold explain N0251`. */
import { documentCodes } from '../document/codes.ts'
import type { Code } from '../document/diagnostic.ts'
import { expressionCodes } from '../expression/codes.ts'
import { productCodes } from './1-product/codes.ts'
import { screenCodes } from './2-screens/codes.ts'
import { entityCodes } from './3-entities/codes.ts'
import { stateCodes } from './4-states/codes.ts'
import { ruleCodes } from './5-validation/codes.ts'
import { permissionCodes } from './6-permissions/codes.ts'
import { callCodes } from './7-calls/codes.ts'
import { errorCodes } from './8-errors/codes.ts'
import { limitCodes } from './9-limits/codes.ts'
import { codeCodes } from './code/codes.ts'
import { commonCodes, structureCodes } from './codes.ts'
import { questionCodes } from './questions/codes.ts'

/** In the order of their numbers. */
export const allCodes: ReadonlyMap<string, Code> = new Map(
  [
    documentCodes,
    expressionCodes,
    commonCodes,
    codeCodes,
    productCodes,
    screenCodes,
    entityCodes,
    stateCodes,
    ruleCodes,
    permissionCodes,
    callCodes,
    errorCodes,
    limitCodes,
    structureCodes,
    questionCodes,
  ]
    .flatMap((table): readonly (readonly [string, Code])[] => Object.entries(table))
    .sort(([a], [b]) => (a < b ? -1 : 1)),
)
