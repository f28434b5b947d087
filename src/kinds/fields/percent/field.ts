import { parseDecimal as decimalOf, formatDecimal } from '../../../expression/decimal.ts'
import { raw, sql } from '../../../expression/sql.ts'
import type { Wire } from '../../../expression/type.ts'
import { all } from '../checks.ts'
import type { FieldKind, FieldParameters } from '../field-kind.ts'
import { decimalFromJson, type NumberShape, parseDecimal, roundedTo, shownNumber } from '../numbers.ts'

/** Of a percentage, so that the fraction has as many decimals as a division gives. */
const most = 8
/** Digits before the point. */
const whole = 10

/** Of the percentage as people write it; the fraction that is stored has two decimals more. */
const shapeOf = ({ scale }: FieldParameters): NumberShape => ({
  scale: scale ?? most,
  whole: whole + 2,
  padded: scale !== undefined,
})

const fractionOf = ({ scale, padded }: NumberShape): NumberShape => ({ scale: scale + 2, whole, padded })

/** A part of something, held as the fraction that expressions reckon with: 19 % is 0.19. */
export const percent: FieldKind = {
  name: 'percent',
  written: 'percent [decimals]',
  meaning: `A percentage: people write and read 19 %, expressions and the API 0.19. \`percent 2\` has at most 2 digits after the point; without that at most ${most}.`,
  read: argument => {
    if (argument === '') return {}
    const scale = /^\d$/.test(argument) ? Number(argument) : Number.NaN
    if (scale <= most) return { scale }
    return {
      wrong: `write how many digits there may be after the point, 0 to ${most}, like \`percent 2\``,
      at: [0, argument.length],
    }
  },
  type: () => ({ kind: 'decimal', percent: true }),
  column: ({ scale }) => (scale === undefined ? 'numeric' : `numeric(${whole + scale + 2},${scale + 2})`),
  check: ({ scale }, column) =>
    scale === undefined
      ? all([
          sql`scale(trim_scale(${column})) <= ${raw(String(most + 2))}`,
          sql`abs(${column}) < ${raw(`1${'0'.repeat(whole)}`)}`,
        ])
      : sql`${column} <> 'NaN'`,
  parse: (text, parameters, locale) => {
    const shape = shapeOf(parameters)
    const parsed = parseDecimal(withoutSign(text), locale, shape)
    if (!('value' in parsed)) return parsed
    const { units, scale } = decimalOf(String(parsed.value))!
    return { value: formatDecimal({ units, scale: scale + 2 }, shape.padded ? shape.scale + 2 : 0) }
  },
  rounded: (wire, parameters) => roundedTo(wire, fractionOf(shapeOf(parameters))),
  fromJson: (json, parameters) => decimalFromJson(json, fractionOf(shapeOf(parameters))),
  toJson: wire => wire,
  schema: parameters => {
    const { scale } = fractionOf(shapeOf(parameters))
    return {
      type: 'string',
      format: 'decimal',
      description: 'A fraction: "0.19" is 19 %.',
      pattern: `^-?[0-9]{1,${whole}}(\\.[0-9]{1,${scale}})?$`,
    }
  },
  // Beside the control stands the sign; elsewhere it is written, so that nobody takes it for a fraction.
  input: (wire, _, locale) =>
    wire === null ? '' : locale === undefined ? `${hundredfold(wire)}%` : shownNumber(hundredfold(wire), locale),
  sample: (n, { scale }) => formatDecimal({ units: BigInt(n), scale: 2 }, scale === undefined ? 0 : scale + 2),
  filters: ['is', 'at least', 'at most', 'is not', 'is empty'],
  sortable: true,
  entered: true,
  examples: [
    {
      type: 'percent',
      good: [
        { text: '-100 %', wire: '-1' },
        { text: '0', wire: '0' },
        { text: '.5%', wire: '0.005' },
        { text: '7.5 %', wire: '0.075' },
        { text: '19', wire: '0.19' },
        { text: '33.33333333%', wire: '0.3333333333' },
        { text: '% 1,000', wire: '10' },
      ],
      bad: ['19 €', '%', '1 % %', '1e2', 'NaN', '0.12345678901', '10000000000000', ''],
    },
    {
      type: 'percent 1',
      good: [
        { text: '7%', wire: '0.070' },
        { text: '7.5%', wire: '0.075' },
      ],
      bad: ['0.1234', 'Infinity', '10000000000000'],
    },
  ],
}

const hundredfold = (wire: Exclude<Wire, null>): string => {
  const { units, scale } = decimalOf(String(wire))!
  return formatDecimal({ units: units * 100n, scale })
}

/** The sign of per cent, before or after the number, is dropped; twice it is a mistake. */
const withoutSign = (text: string): string =>
  text.replace(/^([\s\p{Cf}]*)[%\u066a\uff05]|[%\u066a\uff05][\s\p{Cf}]*$/u, '$1').trim()
