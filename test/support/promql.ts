import { parser } from '@prometheus-io/lezer-promql'

/** What a query of Prometheus names. */
export interface QueryNames {
  metrics: string[]
  /** Each label that a metric must have: those that select it, and those that it is grouped by. */
  labels: { metric: string, label: string }[]
  /** The values of the labels, one for each branch of a regular expression. */
  values: { metric: string, value: string }[]
  /** The labels that the query groups by or matches on. */
  groupings: string[]
}

type SyntaxNode = ReturnType<typeof parser.parse>['topNode']

/** Reads the names of a query. Throws when it has a fault. */
export function readQuery (query: string): QueryNames {
  // Grafana replaces its variable by a length of time.
  const text = query.replaceAll('$__rate_interval', '5m')
  const { topNode } = parser.parse(text)
  const textOf = ({ from, to }: SyntaxNode): string => text.slice(from, to)
  refuseFaults(topNode, text)

  const selectors = nodesOf(topNode, 'VectorSelector').map(node => ({
    metric: nodesOf(node, 'Identifier').map(textOf)[0] ?? '',
    labels: nodesOf(node, 'LabelName').map(textOf),
    values: nodesOf(node, 'StringLiteral').flatMap(literal => textOf(literal).slice(1, -1).split('|')),
    node
  }))
  const groups = nodesOf(topNode, 'GroupingLabels').map(node => ({
    labels: nodesOf(node, 'LabelName').map(textOf),
    whole: node.parent?.parent ?? topNode
  }))

  return {
    metrics: selectors.map(({ metric }) => metric),
    labels: [
      ...selectors.flatMap(({ metric, labels }) => labels.map(label => ({ metric, label }))),
      ...groups.flatMap(({ labels, whole }) =>
        selectors.filter(({ node }) => node.from >= whole.from && node.to <= whole.to)
          .flatMap(({ metric }) => labels.map(label => ({ metric, label })))
      )
    ],
    values: selectors.flatMap(({ metric, values }) => values.map(value => ({ metric, value }))),
    groupings: groups.flatMap(({ labels }) => labels)
  }
}

function nodesOf (top: SyntaxNode, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = []
  top.cursor().iterate(({ node }) => {
    if (node.name === name && node.from >= top.from && node.to <= top.to) found.push(node)
  })
  return found
}

function refuseFaults (top: SyntaxNode, text: string): void {
  top.cursor().iterate(({ type, from }) => {
    if (type.isError) throw new SyntaxError(`'${text}' has a fault at character ${from}`)
  })
}
