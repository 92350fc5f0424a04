import type { ConformanceReport } from '@linker/sdk/testing'

/**
 * Writes the report in the form of JUnit, which CI systems show. These thirty lines replace a
 * library: the libraries either write the report of a test runner from inside it, or bring an XML
 * builder for four elements.
 */
export function formatJunit ({ name, version, checks }: ConformanceReport): string {
  const failures = checks.filter(({ status }) => status === 'failed')
  const left = checks.filter(({ status }) => status === 'skipped' || status === 'exempt')
  const cases = checks.map(({ id, title, prevents, status, reason, findings }) => {
    const open = `    <testcase classname="${escape(`${name}.L${id.slice(1, 2)}`)}" name="${escape(`${id} ${title}`)}"`
    const texts = findings.map(({ target, message }) => target === undefined ? message : `${target}: ${message}`)
    if (status === 'failed') {
      return `${open}>\n      <failure message="${escape(texts[0] ?? '')}">${
        escape([...texts, `It prevents that ${prevents}`].join('\n'))
      }</failure>\n    </testcase>`
    }
    return reason === undefined
      ? `${open}/>`
      : `${open}>\n      <skipped message="${escape(`${status}: ${reason}`)}"/>\n    </testcase>`
  })
  const counts = `tests="${checks.length}" failures="${failures.length}" skipped="${left.length}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escape(`${name}@${version}`)}" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    ''
  ].join('\n')
}

const entities: ReadonlyMap<string, string> = new Map([['&', '&amp;'], ['<', '&lt;'], ['>', '&gt;'], ['"', '&quot;'], [
  '\n',
  '&#10;'
]])

// XML 1.0 allows no other control characters, not even escaped: one in an error message would make
// the file unreadable.
function escape (text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\n\t]/gu, '�').replaceAll(
    /[&<>"\n]/g,
    character => entities.get(character) ?? character
  )
}
