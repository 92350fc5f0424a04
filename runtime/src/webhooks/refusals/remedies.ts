/** The remedies against refusals of deliveries, by their code, for the operator of a connection. */
export const remedies: Readonly<Record<string, string>> = {
  LNK_WEBHOOK_CONNECTION_NOT_FOUND:
    'The connection was disabled, or the address in the sender names another platform. Enable the connection, or ' +
    'correct the address.',
  LNK_WEBHOOK_MALFORMED:
    'The sender sends a header or a body of a wrong form. Send one delivery to the address with /test at its end: ' +
    'the answer names the fault.',
  LNK_WEBHOOK_HEADER_MISSING:
    'The sender does not sign, or a proxy removes its headers. Let the header pass that the last answer names.',
  LNK_SIGNATURE_MISMATCH:
    'The sender uses another secret, or something changes the body on its way. If the adapter can install webhooks, ' +
    'install them again. Else set LINKER_WEBHOOK_SECRET__… in the environment of the hub to the secret that the ' +
    'platform shows, and restart the hub. If the platform checks a verify token, it must be the one in the config. ' +
    'Strangers who guess the address are counted here too.',
  LNK_TIMESTAMP_OUTSIDE_WINDOW:
    'The clocks of sender and hub differ, or the sender repeats deliveries with an old timestamp. Correct the clock, ' +
    'or sign each attempt anew.',
  LNK_WEBHOOK_SECRET_MISSING:
    'The hub has no secret for the connection, or none in the form that the last answer names. If the adapter ' +
    'can install webhooks, install them. Else set LINKER_WEBHOOK_SECRET__… in the environment of the hub, as the ' +
    'platform shows the secret, and restart the hub. Then let the sender repeat the deliveries.',
  LNK_WEBHOOK_NOT_READY:
    'The platform signs the address of the hub, and callbackBaseUrl in the config of the connection is missing or is ' +
    'no address: set it to the public address that the platform was given. Or the platform checks a token that the ' +
    'config lacks. Or the hub cannot read the newest secret: its log says why.',
  LNK_WEBHOOK_PROOF_UNAVAILABLE:
    'A function of the adapter judges the deliveries, and it gave no verdict: the adapter is not loaded, or its ' +
    'function failed or took too long. The log of the hub shows the reason. The sender may repeat the deliveries.',
  LNK_PAYLOAD_TOO_LARGE: 'The sender puts too much into the payload. Leave it out: the hub reads the platform itself.',
  LNK_INTAKE_FULL:
    'More webhooks came than the hub can store. The sender may repeat them. If it happens often, use PostgreSQL and ' +
    'Redis, and move the jobs to a process with LINKER_ROLE=worker.',
  LNK_PUBLISH_FAILED:
    'The hub could not store the events, or did not learn whether it had. The sender may repeat them. The log of the ' +
    'hub shows the reason.',
  LNK_DATABASE_UNAVAILABLE: 'The database of the hub did not answer. The sender may repeat the deliveries.',
  LNK_DISK_FULL: 'The disk of the hub or of its database was full. Make room. The sender may repeat the deliveries.'
}

const otherwise = 'docs/errors.md of @linker/runtime names cause and remedy.'

export function remedyOf (code: string): string {
  return Object.hasOwn(remedies, code) ? remedies[code] ?? otherwise : otherwise
}
