import { escapePointer } from '../../host/pointer.ts'
import { type Check } from './check.ts'
import { importedAdapter, lacking } from './evidence.ts'
import { findings } from './finding.ts'
import { settingsFile } from './settings.ts'

/**
 * Makes the check of the settings file. It takes the ids of the other checks; no exemption can name
 * the check itself.
 */
export function settingsCheck (ids: readonly string[]): Check {
  return {
    id: 'L1-MAN-08',
    level: 1,
    // Only the adapter itself tells which calls the arguments and the recordings may name.
    evidence: async subject => {
      const { arguments: given, fixtures } = subject.settings.settings
      return given === undefined && fixtures === undefined ? lacking(undefined) : importedAdapter(subject)
    },
    title: `${settingsFile} can be read, its exemptions name checks and its arguments and fixtures calls`,
    prevents: 'an exemption with a misspelt id exempted nothing, or arguments with a misspelt name were never used',
    async run ({ settings: { settings, problems }, targets }) {
      const { fixtures: recorded = [] } = settings
      const { misnamed, fixtures } = settings.arguments === undefined && recorded.length === 0
        ? { misnamed: [], fixtures: [] }
        : await targets()
      return findings([
        ...recorded.flatMap(({ call }, index) =>
          fixtures.length > 0 && fixtures[index] === undefined
            ? [`${settingsFile}/fixtures/${index}/call: '${call}' is not a call of this adapter, or lacks arguments`]
            : []
        ),
        ...problems,
        ...(settings.exemptions ?? []).filter(({ check }) => !ids.includes(check)).map(({ check }) =>
          `there is no check '${check}' that could be exempted`
        ),
        ...misnamed.map(name =>
          `${settingsFile}/arguments/${escapePointer(name)} is not a call of this adapter that takes arguments`
        )
      ])
    }
  }
}
