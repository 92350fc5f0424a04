import { type Check } from './check.ts'
import { lacking } from './evidence.ts'
import { findings } from './finding.ts'
import type { Finding } from './finding.ts'
import type { ImportReport } from './protocol.ts'
import type { Subject } from './subject.ts'

// Checks of the import, observed from a thread of its own. The import must have no effect: the hub
// imports an adapter before anybody decides that it serves.

export const importChecks: readonly Check[] = [
  {
    id: 'L1-IMP-01',
    level: 1,
    needs: 'module',
    evidence: async ({ imported }) =>
      lacking((await imported()).report === undefined ? 'its thread did not report the import' : undefined),
    title: 'the import ends, and neither throws nor ends the process',
    prevents: 'one bad package kept the hub from starting, or took it down',
    async run ({ imported }) {
      const { report, failure } = await imported()
      if (failure !== undefined) return findings([`while it was imported: ${failure}`])
      return findings(report?.failure?.isShape === false ? [`its import throws: ${report.failure.message}`] : [])
    }
  },
  {
    id: 'L1-IMP-02',
    level: 1,
    needs: 'import',
    title: 'the import leaves no timer, socket, server, watcher or thread behind',
    prevents:
      'a hub that only listed its adapters did not end, and a forgotten timer failed in the middle of the night',
    run: subject =>
      looking(subject, ({ handles }) => handles.map(({ type, where }) => `a ${type} is left, made by ${where}`))
  },
  {
    id: 'L1-IMP-03',
    level: 1,
    needs: 'import',
    title: 'the import changes no global and no built-in',
    prevents: 'one adapter patched fetch or JSON for the hub and all other adapters',
    run: subject => looking(subject, ({ globals }) => globals.map(name => `${name} is new or was replaced`))
  },
  {
    id: 'L1-IMP-04',
    level: 1,
    needs: 'import',
    title: 'the import reads no environment variable',
    prevents: "an adapter worked on its author's machine alone, or took the hub's own secrets",
    run: subject => looking(subject, ({ environment }) => environment.map(name => `it reads ${name}`))
  },
  {
    id: 'L1-IMP-05',
    level: 1,
    needs: 'import',
    title: 'the import listens for no event of the process',
    prevents: "an adapter swallowed the hub's signals or its uncaught errors",
    run: subject => looking(subject, ({ listeners }) => listeners.map(name => `it listens for '${name}' of process`))
  },
  {
    id: 'L1-IMP-06',
    level: 1,
    needs: 'import',
    title: 'the import prints nothing',
    prevents: "the hub's JSON log had lines in it that no log reader could parse",
    async run ({ imported }) {
      const { printed } = await imported()
      return findings(printed === '' ? [] : [`it prints '${printed.trim().slice(0, 200)}'`])
    }
  }
]

async function looking ({ imported }: Subject, look: (report: ImportReport) => string[]): Promise<Finding[]> {
  const { report } = await imported()
  return report === undefined ? [] : findings(look(report))
}
