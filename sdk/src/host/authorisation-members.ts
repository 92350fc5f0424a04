/** The member of an authorisation form that names the connection. */
export const connectionNameMember = 'connectionName'
/** The member of an authorisation form that names the connection which is authorised again. */
export const connectionIdMember = 'connectionId'
/** The member of the body that the hub takes out before the adapter sees it. */
export const returnToMember = 'returnTo'
