/** The scopes of tokens, in ascending order. A scope allows what the scopes before it allow. */
export const tokenScopes = ['read', 'operate', 'admin'] as const
export type TokenScope = typeof tokenScopes[number]

/** Whether a token of one scope may do what needs another. */
export function allowsScope (scope: TokenScope, needed: TokenScope): boolean {
  return tokenScopes.indexOf(scope) >= tokenScopes.indexOf(needed)
}
