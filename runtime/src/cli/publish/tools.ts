import { join } from 'node:path'
import { findPackage, readPackageJson } from './installed.ts'
import { runProgram } from './npm.ts'

/** A linter of packages that authors may install. */
interface Tool {
  /** The name of its package. */
  name: string
  command: string
  argumentsFor(tarball: string): readonly string[]
}

/** The findings of a linter, or the command that installs it. */
export interface ToolReport {
  name: string
  status: 'passed' | 'failed' | 'missing'
  /** Its output. For a missing one, the command. */
  text: string
}

const tools: readonly Tool[] = [
  { name: 'publint', command: 'publint', argumentsFor: tarball => ['run', tarball, '--strict'] },
  {
    name: '@arethetypeswrong/cli',
    command: 'attw',
    // The hub imports adapters as ES modules; nobody loads them in another way.
    argumentsFor: tarball => [tarball, '--profile', 'esm-only', '--no-emoji', '--no-color']
  }
]

/** Runs the linters that the author's folder has on a tarball. */
export async function runTools (directory: string, tarball: string): Promise<ToolReport[]> {
  return Promise.all(tools.map(tool => runTool(tool, directory, tarball)))
}

async function runTool (tool: Tool, directory: string, tarball: string): Promise<ToolReport> {
  const { name, command } = tool
  const folder = findPackage(directory, name)
  if (folder === undefined) return { name, status: 'missing', text: `npm install --save-dev ${name}` }
  const { bin } = await readPackageJson(folder) as { bin?: string | Record<string, string> }
  const program = typeof bin === 'string' ? bin : bin?.[command]
  if (program === undefined) throw new Error(`${folder} has no command ${command}: install another version of ${name}`)
  const args = [join(folder, program), ...tool.argumentsFor(tarball)]
  const { hasFailed, stdout, stderr } = await runProgram(process.execPath, args, directory)
  return { name, status: hasFailed ? 'failed' : 'passed', text: (stdout + stderr).trim() }
}
