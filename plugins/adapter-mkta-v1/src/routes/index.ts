import { callback } from './callback.ts'
import { commands } from './commands.ts'
import { connect } from './connect.ts'
import { cursors } from './cursors.ts'
import type { Route } from './route.ts'
import { validate } from './validate.ts'

/** The routes that the adapter adds to the hub, below `/integrations/mkta`. */
export const routes: readonly Route[] = [connect, callback, validate, cursors, commands]
