import type { Test } from 'tap'
import { readDeployFile, readDeployYaml } from './deploy-files.ts'
import { readQuery, type QueryNames } from './promql.ts'
import { readAllPages, readPage } from './runtime-docs.ts'

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string, runbook: string }
}

interface Panel {
  title: string
  targets: { expr: string, legendFormat: string }[]
}

/** The labels that Prometheus adds to every series, and `up` itself. */
const ofTarget = ['job', 'instance']
const suffixes: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count']
}

/**
 * Checks that the alerts and the dashboard of `examples/deploy` name only what a hub shows in its
 * metrics, and that every alert has its chapter in the runbook.
 */
export async function checkMonitoring (t: Test, metrics: string): Promise<void> {
  const labelsOf = readLabels(metrics, await readPage('monitoring'))
  const pages = await readAllPages()
  const { groups } = await readDeployYaml('alerts.yaml') as { groups: { rules: Rule[] }[] }
  const rules = groups.flatMap(group => group.rules)
  const { panels } = JSON.parse(await readDeployFile('grafana.json')) as { panels: Panel[] }

  function check (title: string, query: QueryNames, template: string): void {
    t.strictSame(query.metrics.filter(metric => !labelsOf.has(metric)), [], `${title}: the hub has its metrics`)
    const wrong = query.labels.filter(({ metric, label }) => labelsOf.get(metric)?.has(label) !== true)
    t.strictSame(wrong, [], `${title}: the metrics have these labels`)
    const values = query.values.map(({ value }) => value).filter(value => value !== 'linker')
    t.strictSame(values.filter(value => !pages.includes(`\`${value}\``)), [], `${title}: the documentation has them`)
    const used = [...template.matchAll(/\{\{ ?(?:\$labels\.)?([a-z_]+) ?\}\}/g)].map(([, label = '']) => label)
    const shown = new Set(query.groupings.length === 0 ? ofTarget : [...query.groupings, ...ofTarget])
    t.strictSame(used.filter(label => !shown.has(label)), [], `${title}: its text shows labels of the result`)
  }

  for (const { alert, expr, annotations: { summary } } of rules) check(alert, readQuery(expr), summary)
  for (const { title, targets } of panels) {
    for (const { expr, legendFormat } of targets) check(title, readQuery(expr), legendFormat)
  }
  t.ok(panels.length > 10)

  const runbook = await readDeployFile('RUNBOOK.md')
  const chapters = [...runbook.matchAll(/^## (Linker\w+)$/gm)].map(([, name]) => name)
  t.strictSame(chapters, orderOf(rules.map(({ alert }) => alert), chapters), 'the runbook has a chapter for each alert')
  for (const { alert, annotations, labels } of rules) {
    t.equal(annotations.runbook, `RUNBOOK.md#${alert.toLowerCase()}`)
    t.match(labels.severity, /^(?:page|ticket)$/)
  }
  t.strictSame(unknownCommands(runbook, await readPage('commands')), [], 'the commands of the runbook exist')
}

/** The metrics that the hub shows, each with the labels that the table of the page gives it. */
function readLabels (metrics: string, page: string): Map<string, Set<string>> {
  const table =
    new Map([...page.matchAll(/^\| `(linker_\w+)(?:\{([^}]*)\})?` \|/gm)].map(([, name = '', labels = '']) =>
      [name, labels.split(', ').filter(label => label !== '')] as const
    ))
  const types = [...metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  const shown = types.flatMap(([, name = '', type = '']) =>
    (suffixes[type] ?? ['']).map(suffix => {
      const more = suffix === '_bucket' ? ['le'] : []
      return [name + suffix, new Set([...table.get(name) ?? [], ...more, ...ofTarget])] as const
    })
  )
  return new Map([...shown, ['up', new Set(ofTarget)]])
}

/** The alerts in the order of the chapters; those without a chapter come last. */
function orderOf (alerts: readonly string[], chapters: readonly (string | undefined)[]): string[] {
  const place = (name: string): number => chapters.includes(name) ? chapters.indexOf(name) : chapters.length
  return alerts.toSorted((a, b) => place(a) - place(b))
}

/** The commands of a text that the table of commands does not list, such as `jobs list`. */
function unknownCommands (text: string, table: string): string[] {
  const commands = [...text.matchAll(/(?:`|^)linker ([a-z]+(?: [a-z][a-z-]*)*)/gm)].map(([, words = '']) => words)
  const isListed = (command: string): boolean => {
    const [group = '', action] = command.split(' ')
    return table.split('\n').some(line =>
      line.startsWith(`| \`linker ${group}`) && (action === undefined || new RegExp(`\\b${action}\\b`).test(line))
    )
  }
  return commands.filter(command => !isListed(command))
}
