/**
 * Vitest's usual report, which also says how far the run is and what it left out. A signal ends the run in order: workers, servers and
 * databases go, and what was found so far is summed up.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type {
  SerializedError,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSpecification,
  TestSuite,
  Vitest,
} from 'vitest/node'
import { DefaultReporter } from 'vitest/node'

/** For what a test is in the midst of; then its worker is ended. */
const grace = 3000

export default class Progress extends DefaultReporter {
  #files = 0
  #finished = 0
  #ending = false

  override onInit(vitest: Vitest): void {
    super.onInit(vitest)
    for (const [signal, number] of [
      ['SIGHUP', 1],
      ['SIGINT', 2],
      ['SIGTERM', 15],
    ] as const) {
      // Vitest's own listeners end the process at once.
      process.removeAllListeners(signal)
      process.on(signal, () => void this.#end(128 + number))
    }
  }

  async #end(exitCode: number): Promise<void> {
    process.exitCode = exitCode
    this.log(this.#ending ? '\nEnding it now …' : '\nEnding the run …')
    const ended = this.ctx.cancelCurrentRun('keyboard-input')
    if (!this.#ending) {
      this.#ending = true
      await Promise.race([ended, wait(grace, undefined, { ref: false })])
    }
    // Asked twice, Vitest waits for nobody.
    await this.ctx.cancelCurrentRun('keyboard-input')
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length
    this.#finished = 0
    super.onTestRunStart(specifications)
  }

  protected override printTestModule(module: TestModule): void {
    this.#finished++
    super.printTestModule(module)
  }

  protected override getEntityPrefix(entity: TestCase | TestModule | TestSuite): string {
    const prefix = super.getEntityPrefix(entity)
    return entity.type === 'module' ? `${prefix} ${this.#finished}/${this.#files}` : prefix
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    const all = modules.flatMap(({ children }) => [...children.allTests()])
    // As written in their files; those that a pattern leaves out are what was asked for.
    const leftOut =
      this.ctx.config.testNamePattern === undefined ? all.filter(({ options }) => options.mode === 'skip') : []
    if (leftOut.length > 0) this.log(`\nLeft out: ${leftOut.map(({ name }) => name).join('; ')}`)
    super.onTestRunEnd(modules, errors, reason)
  }
}
