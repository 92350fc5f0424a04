import { findings, type Check } from './check.ts'
import { settingsFile } from './settings.ts'

/** It takes the ids of the others; itself it cannot be exempted from. */
export function settingsCheck (ids: readonly string[]): Check {
  return {
    id: 'L1-MAN-08',
    level: 1,
    title: `${settingsFile} can be read, and its exemptions name checks`,
    prevents: 'an exemption with a misspelt id exempted nothing, or went on exempting a check that had been replaced',
    run: ({ settings: { settings, problems } }) => findings([
      ...problems,
      ...(settings.exemptions ?? []).filter(({ check }) => !ids.includes(check)).map(({ check }) => `there is no check '${check}' that could be exempted`)
    ])
  }
}
