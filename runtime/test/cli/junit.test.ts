import type { ConformanceReport } from '@linker/sdk/testing'
import t from 'tap'
import { describeReport } from '../../src/cli/conformance.ts'
import { formatJunit } from '../../src/cli/junit.ts'

const check = { level: 1 as const, prevents: 'nobody found it' }
const report: ConformanceReport = {
  directory: '/work',
  name: '@acme/adapter-feedshop-v1',
  version: '1.0.0',
  isPassed: false,
  checks: [
    { ...check, id: 'L1-MAN-01', title: 'it is named', status: 'passed', findings: [] },
    {
      ...check,
      id: 'L1-MAN-02',
      title: 'a < b && "c"',
      status: 'failed',
      findings: [{ message: 'a <tag> & \u0000 more' }, { target: 'OfferManager.getOffer', message: 'second\nline' }]
    },
    {
      ...check,
      id: 'L1-MAN-03',
      title: 'it is ready',
      status: 'exempt',
      reason: 'it comes later',
      findings: [{ message: 'not ready' }]
    },
    { ...check, id: 'L1-MAN-04', title: 'it is secret', status: 'skipped', reason: 'it has no secret', findings: [] },
    {
      ...check,
      id: 'L1-MAN-05',
      title: 'it is short',
      status: 'passed',
      findings: [],
      warnings: [{ message: 'longer than others' }]
    }
  ]
}

t.test('the JUnit report has one case for each check, and no character that XML forbids', async t => {
  t.equal(
    formatJunit(report),
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites tests="5" failures="1" skipped="2">',
      '  <testsuite name="@acme/adapter-feedshop-v1@1.0.0" tests="5" failures="1" skipped="2">',
      '    <testcase classname="@acme/adapter-feedshop-v1.L1" name="L1-MAN-01 it is named"/>',
      '    <testcase classname="@acme/adapter-feedshop-v1.L1" name="L1-MAN-02 a &lt; b &amp;&amp; &quot;c&quot;">',
      '      <failure message="a &lt;tag&gt; &amp; � more">a &lt;tag&gt; &amp; � more&#10;OfferManager.getOffer: ' +
      'second&#10;line&#10;It prevents that nobody found it</failure>',
      '    </testcase>',
      '    <testcase classname="@acme/adapter-feedshop-v1.L1" name="L1-MAN-03 it is ready">',
      '      <skipped message="exempt: it comes later"/>',
      '    </testcase>',
      '    <testcase classname="@acme/adapter-feedshop-v1.L1" name="L1-MAN-04 it is secret">',
      '      <skipped message="skipped: it has no secret"/>',
      '    </testcase>',
      '    <testcase classname="@acme/adapter-feedshop-v1.L1" name="L1-MAN-05 it is short"/>',
      '  </testsuite>',
      '</testsuites>',
      ''
    ].join('\n')
  )
})

t.test('the text has a line for each check; below it findings, the harm and warnings', async t => {
  t.equal(
    describeReport(report),
    [
      '@acme/adapter-feedshop-v1@1.0.0',
      'ok       L1-MAN-01  it is named',
      'FAILED   L1-MAN-02  a < b && "c"',
      '         a <tag> & \\u0000 more',
      '         OfferManager.getOffer: second\\nline',
      '         It prevents that nobody found it',
      'exempt   L1-MAN-03  it is ready (it comes later)',
      'skipped  L1-MAN-04  it is secret (it has no secret)',
      'ok       L1-MAN-05  it is short',
      '         warning: longer than others',
      '2 passed, 1 failed, 1 exempt, 1 skipped; warnings: 1'
    ].join('\n')
  )
})
