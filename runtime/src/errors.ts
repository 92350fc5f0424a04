import createError from '@fastify/error'

// One line per code; runtime/docs/errors.md lists its cause and remedy. A retired code is never
// used again.

// Start
export const InvalidConfigurationError = createError('LNK_CONFIG_INVALID', 'Invalid configuration: %s', 500)
export const DataDirectoryLockedError = createError(
  'LNK_DATA_DIRECTORY_LOCKED',
  "The data directory '%s' is in use by process %s. %s",
  500
)
export const EmbeddedDatabaseError = createError(
  'LNK_EMBEDDED_DATABASE',
  "The embedded database in '%s' did not start: %s",
  500
)
export const DatabaseNotOpenedError = createError(
  'LNK_DATABASE_NOT_OPENED',
  "Cannot open the database '%s' from DATABASE_URL: %s",
  500
)
export const DatabaseUnfitError = createError(
  'LNK_DATABASE_UNFIT',
  'DATABASE_URL names a database that the hub cannot use: %s. See docs/poolers.md of @linker/runtime',
  500
)
export const UpgradeBackupError = createError(
  'LNK_UPGRADE_BACKUP',
  'The database is of an older version, and the backup before its upgrade could not be written to %s: %s. Make room ' +
    'or set LINKER_DATA_DIR, or set LINKER_UPGRADE_BACKUP=off if you have a backup',
  500
)
export const DatabaseNewerError = createError(
  'LNK_DATABASE_NEWER',
  'The database belongs to hub %s. This hub is %s and does not know these changes of it: %s. Start the newer hub; or ' +
    'go back with `linker restore` into an empty database. Unless LINKER_UPGRADE_BACKUP was off, the process that ' +
    'changed the database wrote the backup before-<its version>-<time>.backup.gz into its data directory',
  500
)
export const RedisClusterRefusedError = createError(
  'LNK_REDIS_CLUSTER',
  'REDIS_URL points to a Redis Cluster, which stores streams and markers in different slots. Use a standalone Redis, ' +
    'or one behind Sentinels (redis+sentinel://host,host/name)',
  500
)

// Requests
export const InvalidRequestError = createError('LNK_REQUEST_INVALID', '%s', 400)
export const NotFoundError = createError('LNK_NOT_FOUND', '%s', 404)
export const UnauthorizedError = createError(
  'LNK_UNAUTHORIZED',
  'This route needs "Authorization: Bearer <token>"',
  401
)
export const ForbiddenError = createError(
  'LNK_FORBIDDEN',
  "Token '%s' has the scope '%s'; this request needs '%s'",
  403
)
export const CrossOriginError = createError(
  'LNK_CROSS_ORIGIN',
  'A page of another origin sent this request with the session of a person. Only pages of the hub may do so',
  403
)
export const InsecureSessionError = createError(
  'LNK_SESSION_INSECURE',
  'Sessions need https, because others could read the cookie. Set LINKER_PUBLIC_URL to the https address of the hub',
  403
)
export const SignInCodeEndedError = createError(
  'LNK_SIGN_IN_CODE_ENDED',
  'This sign-in code is unknown, was used, or has ended. `linker console` prints a new link',
  401
)
export const TokenFailuresError = createError(
  'LNK_TOKEN_FAILURES',
  'Too many wrong tokens came from this address. Try again in %s s',
  429
)
export const TokenNameTakenError = createError(
  'LNK_TOKEN_NAME_TAKEN',
  "A token is called '%s' already. Revoke it first, or choose another name",
  409
)
export const TokenNotFoundError = createError(
  'LNK_TOKEN_NOT_FOUND',
  "Token '%s' does not exist, or is revoked already",
  404
)
export const PayloadTooLargeError = createError('LNK_PAYLOAD_TOO_LARGE', 'The body is larger than %s bytes', 413)
export const UnsupportedMediaTypeError = createError(
  'LNK_MEDIA_TYPE_UNSUPPORTED',
  'The body must be JSON. Send the header Content-Type: application/json',
  415
)
export const RequestTimeoutError = createError(
  'LNK_REQUEST_TIMEOUT',
  'The whole request did not arrive in time. Send it again',
  408
)
export const HeadersTooLargeError = createError(
  'LNK_HEADERS_TOO_LARGE',
  'The request headers are too large. Send fewer or shorter headers',
  431
)
export const PreconditionFailedError = createError(
  'LNK_PRECONDITION_FAILED',
  'The resource has changed since the version in If-Match. Read it again and repeat the change',
  412
)
export const IdempotencyKeyReusedError = createError(
  'LNK_IDEMPOTENCY_KEY_REUSED',
  'This Idempotency-Key was used for another request in the last 24 hours. Use a new key for each intent',
  422
)
export const IdempotencyKeyRunningError = createError(
  'LNK_IDEMPOTENCY_KEY_RUNNING',
  'The first request with this Idempotency-Key is still running. Repeat the request later',
  409
)
export const InternalError = createError(
  'LNK_INTERNAL',
  'The hub failed. Its log shows the reason under this request id',
  500
)
export const DatabaseUnavailableError = createError(
  'LNK_DATABASE_UNAVAILABLE',
  'The database does not answer. Try again',
  503
)
export const DiskFullError = createError(
  'LNK_DISK_FULL',
  'The disk is full. The hub goes on by itself when there is room. Try again later',
  503
)
export const HubStoppingError = createError(
  'LNK_HUB_STOPPING',
  'The hub is stopping before the work is done. Repeat the request, with the same Idempotency-Key if it had one',
  503
)

// Connections and adapters (specification, section 7.2)
export const ConnectionNotFoundException = createError('LNK_CONNECTION_NOT_FOUND', "Connection '%s' not found", 404)
export const ConnectionDisabledException = createError('LNK_CONNECTION_DISABLED', "Connection '%s' is disabled", 400)
export const ConnectionInErrorError = createError('LNK_CONNECTION_IN_ERROR', 'The connection is in error: %s', 400)
export const AdapterNotFoundException = createError('LNK_ADAPTER_MISSING', "No adapter '%s'. Registered: %s", 500)
export const AdapterUnavailableError = createError('LNK_ADAPTER_UNAVAILABLE', "Adapter '%s' is not available: %s", 503)
export const AdapterCrashedError = createError('LNK_ADAPTER_CRASHED', "Adapter '%s' crashed during this call: %s", 502)
export const AdapterIntegrityError = createError('LNK_ADAPTER_INTEGRITY', '%s', 500)
export const AdaptersRequiredError = createError(
  'LNK_ADAPTERS_REQUIRED',
  'The hub does not start because required adapters do not load: %s',
  500
)
export const CapabilityNotSupportedException = createError(
  'LNK_CAPABILITY_NOT_SUPPORTED',
  "Adapter '%s' does not support capability '%s'",
  500
)
export const CapabilityUnavailableError = createError('LNK_CAPABILITY_UNAVAILABLE', '%s', 503)
export const UnknownPlatformError = createError(
  'LNK_PLATFORM_UNKNOWN',
  "No loaded adapter serves platform '%s'. Available platforms: %s",
  400
)
export const InvalidConnectionError = createError('LNK_CONNECTION_INVALID', '%s', 400)
export const ConnectionMovingError = createError(
  'LNK_CONNECTION_MOVING',
  "Connection '%s' is being moved to another adapter version or deleted, or one of its cursors is being changed. " +
    'Repeat the request in a moment',
  409
)
export const ConnectionPausedError = createError('LNK_CONNECTION_PAUSED', "Connection '%s' is paused %s", 409)
export const CapabilityPausedError = createError(
  'LNK_CAPABILITY_PAUSED',
  "Capability '%s' of connection '%s' is paused %s",
  409
)
export const ConnectionBusyError = createError(
  'LNK_CONNECTION_BUSY',
  "Jobs of connection '%s' did not end within %s s: %s. The connection was not changed",
  409
)
export const DeletionRefusedError = createError('LNK_DELETION_REFUSED', 'The connection was not deleted: %s', 409)
export const AccountConnectedError = createError(
  'LNK_ACCOUNT_CONNECTED',
  "Connection '%s' (%s) opens this account already. Use that connection or delete it. With `allowSameAccount: true` " +
    '(`--allow-same-account`) the new one is made beside it and takes no orders',
  409
)
export const AccountDiffersError = createError(
  'LNK_ACCOUNT_DIFFERS',
  "These settings open %s, but connection '%s' belongs to %s, and so do its orders and links. Make a " +
    'connection of its own for the other account',
  409
)
export const TakeOverRefusedError = createError('LNK_TAKE_OVER_REFUSED', '%s', 409)
export const ConnectionDeletedError = createError('LNK_CONNECTION_DELETED', "Connection '%s' was deleted", 410)
export const CursorNotFoundError = createError(
  'LNK_CURSOR_NOT_FOUND',
  "Connection '%s' has no cursor '%s'. It has: %s",
  404
)
export const MoveRefusedError = createError('LNK_MOVE_REFUSED', '%s', 409)
export const MoveUnconfirmedError = createError('LNK_MOVE_UNCONFIRMED', 'This move needs `confirm: true`: %s', 409)
export const ConnectionCreationFailedError = createError(
  'LNK_CONNECTION_CREATION_FAILED',
  'Connection creation failed',
  500
)
export const CredentialStoreNotAvailableError = createError(
  'LNK_CREDENTIAL_STORE_NOT_AVAILABLE',
  'Credential store not available',
  500
)
export const CredentialsKeyMissingError = createError(
  'LNK_CREDENTIALS_KEY_MISSING',
  'LINKER_CREDENTIALS_KEY is not set in the process that answers: there is no key to seal with',
  409
)
export const CredentialsNotFoundError = createError('LNK_CREDENTIALS_NOT_FOUND', "Credentials '%s' not found", 400)

// Webhooks (specification, section 7.1)
export const WebhookConnectionNotFoundError = createError(
  'LNK_WEBHOOK_CONNECTION_NOT_FOUND',
  'No active connection at this address',
  404
)
export const WebhookMalformedError = createError('LNK_WEBHOOK_MALFORMED', '%s', 400)
export const WebhookHeaderMissingError = createError('LNK_WEBHOOK_HEADER_MISSING', '%s', 400)
export const SignatureMismatchError = createError(
  'LNK_SIGNATURE_MISMATCH',
  'The signature does not match the body received: the secret differs, or other bytes were signed than sent',
  401
)
export const TimestampOutsideWindowError = createError('LNK_TIMESTAMP_OUTSIDE_WINDOW', '%s', 401)
export const WebhookSecretMissingError = createError(
  'LNK_WEBHOOK_SECRET_MISSING',
  'No webhook secret is set for this connection',
  401
)
export const WebhookNotReadyError = createError(
  'LNK_WEBHOOK_NOT_READY',
  'The hub cannot check the webhooks of this connection yet. Send it again later',
  503
)
export const WebhookProofUnavailableError = createError(
  'LNK_WEBHOOK_PROOF_UNAVAILABLE',
  'The hub cannot check this delivery now. Send it again later',
  503
)
export const WebhookInstallUnsupportedError = createError(
  'LNK_WEBHOOK_INSTALL_UNSUPPORTED',
  "Adapter '%s' cannot install webhooks. Choose a secret, enter it and the address %s at the platform, and set the " +
    'environment variable %s of the hub to the same secret',
  400
)
export const WebhookNotInstalledError = createError(
  'LNK_WEBHOOK_NOT_INSTALLED',
  "The hub has no webhook secret of connection '%s' to sign with: install its webhooks, or set %s",
  409
)
export const WebhookInstallRunningError = createError(
  'LNK_WEBHOOK_INSTALL_RUNNING',
  "Another request is installing the webhooks of connection '%s'. Repeat this request in a minute",
  409
)
export const PublishFailedError = createError(
  'LNK_PUBLISH_FAILED',
  'The event may not have been stored. Send it again: if it was, the hub recognises it',
  500
)
export const IntakeFullError = createError(
  'LNK_INTAKE_FULL',
  'The hub receives more webhooks than it can store. This one was not stored. Send it again later',
  503
)
export const DeliveryNotFoundError = createError(
  'LNK_DELIVERY_NOT_FOUND',
  "The log has no delivery '%s'. It gets a delivery when its event has become a job or was ignored; refused ones are " +
    'only counted by connection and code',
  404
)
export const DeliveryExpiredError = createError(
  'LNK_DELIVERY_EXPIRED',
  "Delivery '%s' could be replayed until %s",
  410
)
export const DeliveryReplayLimitError = createError(
  'LNK_DELIVERY_REPLAY_LIMIT',
  "Delivery '%s' was replayed %s times already. Run its job type with POST /jobs instead",
  409
)
export const TooManyDeliveriesError = createError('LNK_DELIVERIES_TOO_MANY', '%s', 409)

// Jobs and offers
export const JobNotFoundError = createError('LNK_JOB_NOT_FOUND', "Job '%s' not found", 404)
export const JobTypeUnknownError = createError(
  'LNK_JOB_TYPE_UNKNOWN',
  "Job '%s' cannot run: no adapter serves the type '%s' for it",
  409
)
export const JobQueuedError = createError('LNK_JOB_QUEUED', "Job '%s' is queued: it runs soon", 409)
export const JobWaitingError = createError('LNK_JOB_WAITING', "Job '%s' is waiting: it runs by itself later", 409)
export const JobRunningError = createError('LNK_JOB_RUNNING', "Job '%s' is running", 409)
export const JobSucceededError = createError('LNK_JOB_SUCCEEDED', "Job '%s' has succeeded", 409)
export const JobCancelledError = createError('LNK_JOB_CANCELLED', "Job '%s' is cancelled already", 409)
export const RedriveNotFoundError = createError('LNK_REDRIVE_NOT_FOUND', "Redrive '%s' not found", 404)
export const RedriveEndedError = createError('LNK_REDRIVE_ENDED', "Redrive '%s' is over already: it is %s", 409)
export const RedriveTryingError = createError(
  'LNK_REDRIVE_TRYING',
  "Redrive '%s' still waits for the ends of its first jobs. Continue it when its state is 'waiting'",
  409
)
export const ScheduleNotFoundError = createError(
  'LNK_SCHEDULE_NOT_FOUND',
  "Connection '%s' has no schedule '%s'. It has: %s",
  404
)
export const OfferNotFoundError = createError('LNK_OFFER_NOT_FOUND', "Offer '%s' not found", 404)
export const OfferAlreadyLinkedError = createError(
  'LNK_OFFER_ALREADY_LINKED',
  "Offer '%s' is already linked to variant '%s'",
  409
)
export const OfferNotShownError = createError(
  'LNK_OFFER_NOT_SHOWN',
  "The marketplace does not show offer '%s'. A new offer can take up to %s minutes to appear",
  404
)
export const OfferNotVisibleError = createError(
  'LNK_OFFER_NOT_VISIBLE',
  "The marketplace does not show offer '%s' yet",
  503
)
export const OfferAlreadyListedError = createError(
  'LNK_OFFER_ALREADY_LISTED',
  "Variant '%s' is listed on this connection as offer '%s'",
  409
)
export const PriceNotConfirmedError = createError(
  'LNK_PRICE_NOT_CONFIRMED',
  'The price of the offer changes from %s to %s; send `confirm: true` if that is right',
  409
)
export const InvalidOfferError = createError('LNK_OFFER_INVALID', '%s', 400)
export const BatchNotFoundError = createError('LNK_BATCH_NOT_FOUND', "Batch '%s' not found", 404)
export const ProductNotFoundError = createError('LNK_PRODUCT_NOT_FOUND', "Product '%s' not found", 404)
export const OrderNotFoundError = createError('LNK_ORDER_NOT_FOUND', "Order '%s' not found", 404)
export const ShopOrderTakenError = createError(
  'LNK_SHOP_ORDER_TAKEN',
  "The shop gave the order the id '%s', which belongs to order '%s' of the hub already",
  409
)
export const OrderStateError = createError('LNK_ORDER_STATE', '%s', 409)
export const ShipmentNotFoundError = createError('LNK_SHIPMENT_NOT_FOUND', "Order '%s' has no shipment", 404)
export const LabelNotFoundError = createError(
  'LNK_LABEL_NOT_FOUND',
  "Order '%s' has no label because its shipment is %s",
  404
)
export const VariantNotFoundError = createError('LNK_VARIANT_NOT_FOUND', "Variant '%s' not found", 404)

// Alerts
export const AlertsNotConfiguredError = createError(
  'LNK_ALERTS_NOT_CONFIGURED',
  'No channel for alerts is configured: set LINKER_ALERT_WEBHOOK_URL or LINKER_ALERT_SMTP_URL and restart the hub',
  409
)

// Hints
export const EventStreamsFullError = createError(
  'LNK_EVENT_STREAMS_FULL',
  'This process serves %s streams of hints, and no more. Ask again later, or look without hints',
  503
)

// Answers of adapters' routes: for errors that adapters throw (codes of the SDK), and for other
// ends of a request
export const AdapterRejectedError = createError('LNK_ADAPTER_REJECTED', '%s', 400)
export const AdapterObjectNotFoundError = createError('LNK_ADAPTER_NOT_FOUND', '%s', 404)
export const AdapterConfigurationError = createError('LNK_ADAPTER_CONFIGURATION', '%s', 500)
export const AdapterFailedError = createError(
  'LNK_ADAPTER_FAILED',
  "Adapter '%s' failed. The log of the hub shows the reason under this request id",
  500
)
export const AdapterAuthenticationError = createError('LNK_ADAPTER_AUTHENTICATION', '%s', 502)
export const AdapterOutcomeUnknownError = createError('LNK_ADAPTER_OUTCOME_UNKNOWN', '%s', 502)
export const AdapterRateLimitedError = createError('LNK_ADAPTER_RATE_LIMITED', '%s', 503)
export const AdapterTransientError = createError('LNK_ADAPTER_TRANSIENT', '%s', 503)
export const AdapterWriteUnderWayError = createError('LNK_ADAPTER_WRITE_UNDER_WAY', '%s', 503)
export const PlatformUnavailableError = createError('LNK_PLATFORM_UNAVAILABLE', '%s', 503)
export const AdapterBusyError = createError(
  'LNK_ADAPTER_BUSY',
  "Adapter '%s' is handling as many requests as it may. Try again later",
  503
)
export const AdapterCheckStoppedError = createError(
  'LNK_ADAPTER_CHECK_STOPPED',
  "The hub stopped checking the input against a schema of adapter '%s' after %s ms",
  500
)
export const AdapterTimeoutError = createError('LNK_ADAPTER_TIMEOUT', "Adapter '%s' did not answer within %s ms", 504)

// Backup and restore
export const BackupRunningError = createError(
  'LNK_BACKUP_RUNNING',
  'This process of the hub is taking another backup. Try again when it has ended',
  409
)
export const BackupNoRoomError = createError(
  'LNK_BACKUP_NO_ROOM',
  'The hub writes a backup to %s before it sends it. That disk has %s bytes left, and the backup may need %s',
  507
)
export const BackupSourceError = createError('LNK_BACKUP_SOURCE', 'There is nothing to back up: %s', 500)
export const DamagedBackupError = createError('LNK_BACKUP_DAMAGED', 'This is no whole backup: %s', 500)
export const NewerBackupError = createError(
  'LNK_BACKUP_NEWER',
  'A newer version of the hub, %s, made the backup. Restore it with that version or a later one',
  500
)
export const MovedStateError = createError(
  'LNK_STATE_MOVED',
  '%s Start the hub with that DATABASE_URL. %s',
  500
)
export const RestoreTargetError = createError('LNK_RESTORE_TARGET', '%s', 500)
