const metrics = '# HELP linker_refused_tokens_total Requests refused for their token\n' +
  '# TYPE linker_refused_tokens_total counter\nlinker_refused_tokens_total{code="LNK_UNAUTHORIZED"} 2\n'

export const operationExamples = {
  bodies: {},
  answers: {
    checkHealth: { status: 'ok' },
    checkReadiness: {
      status: 'ok',
      checks: [{ name: 'database', status: 'ok' }, { name: 'streams', status: 'ok' }]
    },
    readMetrics: metrics
  }
}
