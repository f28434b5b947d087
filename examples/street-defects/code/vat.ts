/** Check digits of British VAT numbers. Asked by V-5; a number that is checked here can still belong to nobody. */
import type { Functions } from '../ninefold.d.ts'

/** Seven digits weighed 8 to 2 and the two at the end together make a multiple of 97; in newer numbers 55 more does. */
export const is_vat_number: Functions['is_vat_number'] = number => {
  if (!/^\d{9}$/.test(number)) return false
  const weighed = Array.from(number.slice(0, 7), (digit, index) => Number(digit) * (8 - index))
  const sum = weighed.reduce((total, part) => total + part, Number(number.slice(7)))
  return sum % 97 === 0 || (sum + 55) % 97 === 0
}
