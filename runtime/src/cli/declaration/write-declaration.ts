import { stringify } from 'yaml'
import type { Declaration } from './schema.ts'

const head = '# Written by `linker export`. It has no credentials and no secret members of configs.\n'

export function writeDeclaration (declaration: Declaration): string {
  return head + stringify(declaration)
}
