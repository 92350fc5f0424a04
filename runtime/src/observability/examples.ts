const metrics = '# HELP linker_refused_tokens_total Requests refused for their token\n' +
  '# TYPE linker_refused_tokens_total counter\nlinker_refused_tokens_total{code="LNK_UNAUTHORIZED"} 2\n'

export const operationExamples = {
  bodies: {},
  answers: {
    System: {
      version: '0.1.0',
      mode: 'full',
      role: 'all',
      configurationFile: '/srv/linker/linker.config.json',
      dataDirectory: '/srv/linker/state',
      credentialKeys: ['a1b2c3d4']
    },
    checkHealth: { status: 'ok' },
    checkReadiness: {
      status: 'ok',
      checks: [{ name: 'database', status: 'ok' }, { name: 'streams', status: 'ok' }]
    },
    readMetrics: metrics
  }
}
