import { relative, resolve } from 'node:path'
import { checkGiven, completeAnswers, isComplete, type Given } from './answers.ts'
import { renderProject } from './render.ts'
import { checkFolder, writeProject } from './write.ts'

interface Surroundings {
  cwd: string
  /** Whether somebody can answer questions. */
  isTerminal: boolean
  now: Date
}

/**
 * Makes an adapter and returns what to tell the author. A `Refusal` leaves nothing behind.
 */
export async function create (given: Given, { cwd, isTerminal, now }: Surroundings): Promise<string> {
  checkGiven(given)
  if (given.folder !== undefined) await checkFolder(resolve(cwd, given.folder))
  // Load the prompts only where somebody answers them.
  const asked = isTerminal && !isComplete(given, cwd) ? await (await import('./ask.ts')).ask(given, cwd) : given
  const answers = completeAnswers(asked, cwd)
  await checkFolder(answers.directory)
  await writeProject(answers.directory, await renderProject(answers, now))
  return [
    `Made an adapter for ${answers.displayName}. It works with a made-up ${answers.role} until you change it. Next:`,
    '',
    ...nextCommands(relative(cwd, answers.directory)).map(command => `  ${command}`),
    '',
    'Its README.md says what to change.'
  ].join('\n')
}

function nextCommands (folder: string): string[] {
  if (folder === '') return ['npm install', 'npm test', 'npm run conformance']
  return [`cd ${/^[\w./\\-]+$/.test(folder) ? folder : `"${folder}"`}`, 'npm install', 'npm test']
}
