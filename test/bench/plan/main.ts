import { parseArgs } from 'node:util'
import { readMeasured, resultsFolder } from './measured.ts'
import { assumptions, defaultOptions, load, optionNames, type OptionName, type Options } from './options.ts'
import { describePlan } from './print.ts'
import { makePlan } from './resources.ts'
import { describeSizes } from './sizes.ts'

// `npm run plan` extrapolates from the results of the benchmarks to a wanted load: what it needs,
// and what ends first. `--help` lists the options. `--sizes` prints the table of the README.

const modes = ['embedded', 'postgres', 'full'] as const

function stop (message: string): never {
  console.error(message)
  process.exit(1)
}

function readNumber (name: string, text: string): number {
  const value = Number(text)
  return text.trim() !== '' && Number.isFinite(value) && value >= 0
    ? value
    : stop(`--${name} must be a number that is not negative, not '${text}'`)
}

function describeAll (): string {
  const lines = Object.entries({ ...load, ...assumptions }).map(([name, { value, meaning }]) =>
    `  --${`${name} ${value}`.padEnd(34)}${meaning}`
  )
  return [
    'npm run plan -- [--mode full|postgres|embedded] [--sizes] [--results folder] [--<option> <number>] …',
    ...lines
  ]
    .join('\n')
}

function readCommand () {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      sizes: { type: 'boolean', default: false },
      mode: { type: 'string' },
      results: { type: 'string', default: resultsFolder },
      ...Object.fromEntries(optionNames.map(name => [name, { type: 'string' as const }]))
    }
  })
  const { help, sizes, mode: wanted, results, ...texts } = values
  if (help) {
    console.log(describeAll())
    process.exit(0)
  }
  const mode = wanted === undefined
    ? undefined
    : modes.find(name => name === wanted) ?? stop(`--mode must be one of ${modes.join(', ')}, not '${wanted}'`)
  const numbers = Object
    .fromEntries(Object.entries(texts as Record<string, string>).map(
      ([name, text]) => [name, readNumber(name, text)]
    )) as Partial<Record<OptionName, number>>
  return { sizes, results, given: { ...numbers, ...(mode === undefined ? {} : { mode }) } satisfies Partial<Options> }
}

async function describe (): Promise<string> {
  const { sizes, results, given } = readCommand()
  if (sizes) return describeSizes(results, given)
  const options: Options = { ...defaultOptions, ...given }
  const measured = await readMeasured(results, options.mode)
  return describePlan(options, measured, makePlan(options, measured))
}

try {
  console.log(await describe())
} catch (error) {
  stop(error instanceof Error ? error.message : String(error))
}
