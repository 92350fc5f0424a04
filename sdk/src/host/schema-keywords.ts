/** The keywords of a schema that hold other schemas, by the form of their value. */
export const ofNamedSchemas: ReadonlySet<string> = new Set(['$defs', 'definitions', 'patternProperties', 'properties'])
export const ofOneSchema: ReadonlySet<string> = new Set(['additionalProperties', 'else', 'if', 'items', 'not', 'then'])
export const ofSchemas: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'])

/** The keywords below which Ajv fills in no default. */
export const ofUnfilled: ReadonlySet<string> = new Set(['anyOf', 'if', 'not', 'oneOf'])
