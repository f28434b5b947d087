/** Which values of a closed list a condition can ever let through: decided from the document alone. */
import type { Checked } from '../../expression/checked.ts'

/** `maybe` where it depends on anything but the field. */
type Answer = boolean | 'maybe'

/** The options for which the condition is not certainly false. */
export function letThrough(condition: Checked, field: string, options: readonly string[]): readonly string[] {
  return options.filter(option => decide(condition, field, option) !== false)
}

function decide(node: Checked, field: string, value: string): Answer {
  const answer = (inner: Checked) => decide(inner, field, value)
  switch (node.op) {
    case 'literal':
      return typeof node.value === 'boolean' ? node.value : 'maybe'
    case 'and':
      return every(node.parts.map(answer))
    case 'or':
      return opposite(every(node.parts.map(part => opposite(answer(part)))))
    case 'not':
      return opposite(answer(node.of))
    case 'if':
      return chosen(answer(node.condition), answer(node.then), answer(node.otherwise))
    case 'empty':
      return isField(node.of, field) ? false : 'maybe'
    case 'same':
      return equal(node.left, node.right, field, value)
    case 'compare': {
      const same = equal(node.left, node.right, field, value)
      return node.sign === '=' ? same : node.sign === '!=' ? opposite(same) : 'maybe'
    }
    case 'in':
      return opposite(every(node.list.map(item => opposite(equal(node.of, item, field, value)))))
    default:
      return 'maybe'
  }
}

function every(answers: readonly Answer[]): Answer {
  if (answers.includes(false)) return false
  return answers.includes('maybe') ? 'maybe' : true
}

const opposite = (answer: Answer): Answer => (answer === 'maybe' ? 'maybe' : !answer)

function chosen(condition: Answer, then: Answer, otherwise: Answer): Answer {
  if (condition !== 'maybe') return condition ? then : otherwise
  return then === otherwise ? then : 'maybe'
}

function equal(left: Checked, right: Checked, field: string, value: string): Answer {
  const [a, b] = [constant(left, field, value), constant(right, field, value)]
  return a === null || b === null ? 'maybe' : a === b
}

/** The value of a literal or of the field itself; null for anything else. */
function constant(node: Checked, field: string, value: string): string | null {
  if (isField(node, field)) return value
  return node.op === 'literal' && typeof node.value === 'string' ? node.value : null
}

function isField(node: Checked, field: string): boolean {
  return (
    node.op === 'field' &&
    node.path.base === 'own' &&
    node.path.steps.length === 1 &&
    node.path.steps[0]!.field === field
  )
}
