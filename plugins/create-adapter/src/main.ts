import { Refusal } from './answers.ts'
import { readArguments, usage } from './arguments.ts'
import { create } from './create.ts'

try {
  const { isHelp, ...given } = readArguments(process.argv.slice(2))
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY
  console.log(isHelp ? usage : await create(given, { cwd: process.cwd(), isTerminal, now: new Date() }))
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(`error: ${error.message}`)
  process.exitCode = 1
}
