import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from './project.ts'

/** One instruction of the tutorial: run these commands, or write this file. */
export type Instruction =
  | { kind: 'run', commands: string }
  | { kind: 'write', file: string, content: string }

export interface Step {
  title: string
  instructions: Instruction[]
  /** The commands for readers whose registry does not have the packages. */
  fromTarballs?: string
}

const block = /(?:(?<file>`[\w./-]+`):\n\n)?^```(?<language>.*)\n(?<code>(?:.*\n)*?)^```$/
const copy = /copy the adapter from the top of this page into `(?<target>[\w./-]+)`/
const withoutRegistry = /^If no registry has the packages yet/m

/** Reads the tutorial of the README of the SDK, as its reader follows it. */
export async function readTutorial (): Promise<Step[]> {
  const readme = await readFile(join(repository, 'sdk/README.md'), 'utf8')
  const [, chapter = ''] = readme.split(/^## Tutorial.*\n/m)
  const adapter = /^```ts\n((?:.*\n)*?)^```$/m.exec(readme)?.[1] ?? ''
  return (chapter.split('\n## ')[0] ?? '').split(/^### /m).slice(1).map(text => readStep(text, adapter))
}

function readStep (text: string, adapter: string): Step {
  const [usual = '', forTarballs] = text.split(withoutRegistry)
  const [title = ''] = text.split('\n')
  const found = [...usual.matchAll(new RegExp(`${block.source}|${copy.source}`, 'gm'))]
  const instructions = found.map(({ groups = {} }) => toInstruction(title, groups, adapter))
  if (forTarballs === undefined) return { title, instructions }
  const [{ groups: { code = '' } = {} } = {}, ...more] = [...forTarballs.matchAll(new RegExp(block.source, 'gm'))]
  if (more.length > 0) throw new Error(`step ${title} has more than one block for tarballs`)
  return { title, instructions, fromTarballs: code }
}

function toInstruction (
  title: string,
  { file, language, code = '', target }: Record<string, string | undefined>,
  adapter: string
): Instruction {
  if (target !== undefined) return { kind: 'write', file: target, content: adapter }
  if (language === 'sh') return { kind: 'run', commands: code }
  if (file === undefined) throw new Error(`step ${title}: no text names the file of this block:\n${code}`)
  return { kind: 'write', file: file.replaceAll('`', ''), content: code }
}
