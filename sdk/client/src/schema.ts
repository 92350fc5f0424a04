// Generated from the description that a hub without adapters serves at /openapi.json.
// After a change of the API, `npm run client` writes this file again.

export interface paths {
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the metrics for Prometheus
         * @description Prometheus text format. A scraper needs a token with the scope `read`.
         */
        get: operations["readMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process is alive
         * @description For liveness probes. Answers 200 as long as the process runs, also while the database is away.
         */
        get: operations["checkHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the hub accepts requests
         * @description For readiness probes and load balancers. Answers 503 while a part that the hub needs is away or takes no writes, or while the hub stops, and names the part. Whether the server of the streams (Redis, or PostgreSQL without `REDIS_URL`) takes writes, the hub knows from the last event that it stored, or from a small write of its own if that was more than 10 s ago. With `REDIS_URL` the hub writes to Redis only: of PostgreSQL it then sees whether it answers and is read-only, but not whether its disk is full. The probe itself writes nothing.
         */
        get: operations["checkReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{provider}/{connectionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Answer a challenge of the platform
         * @description For platforms that check the address of their webhooks. The adapter declares the requests and the answers. Any other request gets the 404 of an unknown connection.
         */
        get: operations["answerWebhookChallenge"];
        put?: never;
        /**
         * Deliver an event
         * @description For platforms and shops. The signature covers the bytes of the body as they were sent. Send a delivery again after a 500 or 503; other refusals need a correction first. Each event of a list counts once, so a list may come again with further events: X-Linker-Duplicates says how many the hub had already. An adapter may declare another answer than 202 for its platform.
         */
        post: operations["deliverWebhook"];
        delete?: never;
        /**
         * Answer a handshake of the platform
         * @description For platforms that ask by OPTIONS whether they may send webhooks. As GET.
         */
        options: operations["answerWebhookHandshake"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{provider}/{connectionId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a delivery without any effect
         * @description Runs the checks of a delivery in their order and answers 200 with the verdict, also when a real delivery would be refused. Use it while you write a sender.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/webhooks/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the platform send its webhooks here, with a new secret
         * @description The adapter registers the address of the hub at the platform, with a secret that the hub makes and stores as it stores credentials. Repeat the request to replace the secret.
         */
        post: operations["installWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event through the public address of the hub
         * @description The hub sends `test.ping` to the address that the platform has, proves it with the secret that the platform has, and says what came back. Tells a wrong address or a proxy in the way from a platform that sends nothing.
         */
        post: operations["testWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/webhooks/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read whether webhooks are set up, and the result of the last one
         * @description Tells whether the hub has a secret for the connection, how old it is, and what became of the last delivery.
         */
        get: operations["readWebhookStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/webhooks/refusals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the refused deliveries of a connection by their codes, with a remedy for each; the latest first
         * @description Use it when a platform says that it delivers and the hub shows no event. Deliveries that were refused leave no event behind, only these counts.
         */
        get: operations["listWebhookRefusals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the accepted deliveries and their ends, newest first. A page may be short and have a next one
         * @description The log has a delivery as soon as its event became a job or was ignored. Follow the `Link` header until there is none.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery by the `X-Linker-Delivery-Id` that its sender got
         * @description Shows the job of the delivery, why it waits or died, and all its replays.
         */
        get: operations["readDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Handle the event of a delivery again, by the mapping of today; the delivery itself does not change
         * @description Answers 202 with the new job, or 200 when the hub would ignore the event today, too.
         */
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay all deliveries that meet a filter, 500 at most, without those that were replayed already
         * @description Send `dryRun: true` first: it counts what the filter meets and changes nothing. More than 500 matches are refused.
         */
        post: operations["replayDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the named tokens that are not revoked, or who is signed in
         * @description With `kind=session` it lists the people who are signed in. Neither list holds a token itself.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Make a named token. The answer holds the token, which the hub never shows again
         * @description Keep the token of the answer: the hub stores only its hash. A repetition with the same name answers 409.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a named token. The next request with it answers 401
         * @description Also ends a session. The id stays in the audit.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who the token or session stands for
         * @description Use it to check a token and its scope.
         */
        get: operations["readSession"];
        put?: never;
        /**
         * Sign in with a token or a code: the answer sets a cookie for 12 hours, or until the token ends
         * @description For browsers. Programs send the token as a bearer token instead. Only a page of the hub itself may use the session for changes. A code begins the same session as the token that made it, and works once.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description Ends the session of the cookie. A request with a bearer token is refused: revoke the token instead.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a code with which a person signs in once, within 10 minutes
         * @description For programs that hold a token and show a person a link. The session is like one begun with the token itself. A request that comes by a session is refused: its codes could outlive it.
         */
        post: operations["createSignInCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who changed what, newest first. Secrets are left out
         * @description Each entry names the token, adapter or part of the hub that made a change, and what it changed by JSON pointers.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credentials/rewrap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Seal all stored secrets with the newest key of LINKER_CREDENTIALS_KEY
         * @description Works in steps while the hub runs. Secrets that no key opens are named and stay as they are.
         */
        post: operations["rewrapCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connections
         * @description Oldest first. Secrets are left out.
         */
        get: operations["listConnections"];
        put?: never;
        /**
         * Create a connection
         * @description The hub checks config and credentials against the schemas of the adapter, and stores the credentials, encrypted when `LINKER_CREDENTIALS_KEY` is set. Test the connection afterwards.
         */
        post: operations["createConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a connection
         * @description The `ETag` is the version of the connection. Send it as `If-Match` with a change, so that you do not undo the change of somebody else.
         */
        get: operations["readConnection"];
        put?: never;
        post?: never;
        /**
         * Delete a disabled or paused connection while none of its jobs runs; its orders, jobs and audit stay
         * @description Send `dryRun=true` first: the answer lists what stands in the way, what goes and what stays.
         */
        delete: operations["deleteConnection"];
        options?: never;
        head?: never;
        /**
         * Change a connection; `config` and `settings` are merged, null removes
         * @description A JSON merge patch (RFC 7396). Members that you leave out stay as they are. Set the credentials with `replaceCredentials`.
         */
        patch: operations["updateConnection"];
        trace?: never;
    };
    "/connections/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Disable a connection: its webhooks are refused, its jobs wait
         * @description To keep its events for later, pause it instead. `reason` becomes its `statusReason`.
         */
        patch: operations["disableConnection"];
        trace?: never;
    };
    "/connections/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Enable a disabled connection: its webhooks are accepted, its jobs go on
         * @description A connection in `error` stays so: a test that succeeds or new credentials end that.
         */
        patch: operations["enableConnection"];
        trace?: never;
    };
    "/connections/{id}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Test and replace the credentials; test=false skips the test
         * @description The hub tries the new credentials at the platform first, and keeps the old ones when the platform refuses the new ones.
         */
        put: operations["replaceCredentials"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test address and credentials; disabled connections can be tested, too
         * @description Answers 200 also when the test fails: read `success`. Each check comes with a hint.
         */
        post: operations["testConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connections with their last success and failure, waiting and dead jobs, and the last 24 hours
         * @description One question for a whole list; `diagnoseConnection` explains a single connection.
         */
        get: operations["listConnectionHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/adapter": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a connection to another adapter version while none of its jobs runs
         * @description Send `dryRun: true` first: the answer tells what changes. A move that loses something needs `confirm: true`.
         */
        post: operations["moveConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/adapter/moves": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the last 20 moves of a connection to another adapter version, newest first
         * @description Says who moved the connection, and which moves were rolled back.
         */
        get: operations["listMoves"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/adapter/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo the last move: restore version, config, capabilities and cursors
         * @description Changes of the config after the move are lost. Send `dryRun: true` to see them.
         */
        post: operations["rollBackMove"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/cursors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List how far the hub has read the platform of a connection
         * @description A cursor is the position in a journal of the platform after which the hub reads on.
         */
        get: operations["listCursors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/cursors/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a cursor while no job of the connection runs; the next reading goes on from there
         * @description The hub cannot check the value; the platform may refuse a wrong one at the next reading.
         */
        put: operations["setCursor"];
        post?: never;
        /**
         * Remove a cursor while no job of the connection runs; the next reading begins as for a new connection
         * @description Use it when the platform no longer knows the position of the cursor.
         */
        delete: operations["deleteCursor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/upstream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how fast the hub may call the platform of a connection, and whether its circuit breaker is open
         * @description Shows the budget that the adapter declares, the one of an operator, the one that the hub learnt, and which of them holds now.
         */
        get: operations["readUpstream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/upstream/budget": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the budget of a connection, at most that of its adapter
         * @description Slows the hub down, for example when another program uses the same account. More than the adapter declares is refused.
         */
        put: operations["setBudget"];
        post?: never;
        /**
         * Remove the budget that an operator set: that of the adapter holds again, if it declares one
         * @description The jobs that wait ask for a place again at once.
         */
        delete: operations["deleteBudget"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/upstream/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close the circuit breaker, and forget the learnt rate and the rest that the platform asked for
         * @description The jobs that wait ask again at once. A test of the connection closes the breaker, too, but only if the platform works.
         */
        post: operations["resetUpstream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/invoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call one method of a capability of the adapter that serves the connection
         * @description For authors of adapters, and to see what a platform says. Answers 200 also when the call fails: read `success`. The hub stores nothing of what the method returns. A method that writes changes the platform without the knowledge of the hub; in a dry run such a request fails, and the answer shows it. A dry run still renews an expired token. A pause does not stop the call.
         */
        post: operations["invokeCapability"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted connections, so that their orders and jobs can be shown with a name
         * @description Every other route answers 404 for the id of a deleted connection.
         */
        get: operations["listDeletedConnections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/take-over": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take over orders, links and cursors of a deleted connection to the same account
         * @description Jobs of the connection end first. A repeated request finds nothing more to take over.
         */
        post: operations["takeOverConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a connection or some of its capabilities, or change the pause: events are accepted, jobs wait
         * @description Without `capabilities` it pauses the whole connection. Without `until` the pause has no end.
         */
        post: operations["pauseConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the pause of a connection, or those of some of its capabilities: the jobs go on at once
         * @description Without `capabilities` it ends the pause of the whole connection; pauses of single capabilities stand.
         */
        post: operations["resumeConnection"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what runs in this hub, and its settings
         * @description Names the processes, adapters, steps of the start and settings, and no secret.
         */
        get: operations["readSystem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system/log-level": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Make all processes log at a level for some minutes
         * @description Processes follow within 15 s. The usual level comes back by itself.
         */
        put: operations["setLogLevel"];
        post?: never;
        /**
         * Make all processes log at LOG_LEVEL again
         * @description Changes nothing when they do already.
         */
        delete: operations["resetLogLevel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/adapters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the adapters of this hub, including those that failed to load
         * @description An adapter that failed to load has a `state` and an `error` that say why. An adapter whose folder holds newer code has `changed`.
         */
        get: operations["listAdapters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/adapters/{key}/versions/{version}/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the JSON Schemas of config, settings and credentials for an adapter version
         * @description Use the schemas to show a form. Members with `secret: true` are never shown again; credentials are stored encrypted when `LINKER_CREDENTIALS_KEY` is set. `settings` are the hub's own: those that a connection with all capabilities of the adapter has.
         */
        get: operations["readAdapterSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/adapters/{key}/versions/{version}/icon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the icon of an adapter version
         * @description Answers 304 without a body when `If-None-Match` has the ETag of the icon.
         */
        get: operations["readAdapterIcon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/adapters/{key}/versions/{version}/changelog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the changelog of an adapter version
         * @description The first 256 KiB of the CHANGELOG.md in its package, with a note when it is longer.
         */
        get: operations["readAdapterChangelog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/adapters/{key}/config/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a config and optional credentials as the creation of a connection does, without storing them; test=true also tests them at the platform and needs the scope admin
         * @description Answers 200 also when something is wrong: read `valid` and `errors`.
         */
        post: operations["validateConfig"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the products of the master shops
         * @description Products as the hub read them last, each with all its variants.
         */
        get: operations["listProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a product with its variants
         * @description Shows the product as the hub read it last; it does not call the shop.
         */
        get: operations["readProduct"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/variants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a variant
         * @description A variant is what an offer is linked to: it has the stock.
         */
        get: operations["readVariant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the stock of variants and the quantities written to their offers
         * @description Compare `wantedQuantity`, `sentQuantity` and `upstreamQuantity` of an offer to see where a quantity got stuck.
         */
        get: operations["listStock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm stock that has jumped, so that its offers follow it
         * @description For variants of a shop whose setting `confirmStockJump` makes a jump wait: `listStock` with `jumped=true` lists them. Does nothing to other variants.
         */
        post: operations["confirmStock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock/sweeps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the sweeps over the stock of master shops, newest first
         * @description A sweep compares the whole stock of a shop. One that is `held` found so much missing that an operator must confirm it with `reconcileStock`.
         */
        get: operations["listSweeps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/offers/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link an offer that exists at the marketplace to a variant
         * @description Answers 201 for a new link and 200 when the same link existed. The hub writes its quantity to the offer from now on.
         */
        post: operations["linkOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List offers
         * @description Linked offers with the quantity that the hub wants and the one that the marketplace shows.
         */
        get: operations["listOffers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/offers/unlinked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List offers of marketplaces that are linked to no variant
         * @description Offers that the hub found at a marketplace and does not change.
         */
        get: operations["listUnlinkedOffers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/offers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an offer
         * @description Shows the offer as the hub knows it; it does not call the marketplace.
         */
        get: operations["readOffer"];
        put?: never;
        post?: never;
        /**
         * Unlink an offer; nothing changes at the marketplace
         * @description The offer stays at the marketplace with its last quantity. The hub links it again only on request.
         */
        delete: operations["unlinkOffer"];
        options?: never;
        head?: never;
        /**
         * Change how much of the stock an offer shows
         * @description `buffer` keeps pieces back, and `maxListed` is the most that the offer shows. The hub writes the new quantity.
         */
        patch: operations["limitOffer"];
        trace?: never;
    };
    "/offers/{id}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read the offer at the marketplace again
         * @description Starts a job; read it with `readJob` and `wait`. `result.found` of the job tells what the marketplace shows, what the hub last wrote (`hub`), and which of `status`, `quantity` and `price` differ (`differs`). Until `staleUntil` the marketplace may show the state before the last write, and the hub changes nothing. `quantityMayBeOlder` says whether the quantity may be from before it; if not, somebody changed it there.
         */
        post: operations["refreshOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/offers/{id}/explanation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain why an offer shows its quantity, and what to do when it is the wrong one
         * @description Follows a quantity from the shop to the marketplace, names the step that decides it, and the next action.
         */
        get: operations["explainOffer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/marketplace-offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the offers that a marketplace has, linked or not, with the variants that may be theirs
         * @description As the last comparison read them, by their ids at the marketplace. `POST /stock/reconcile` with the id of the connection reads them again. One page looks at 10 000 offers: with a filter it may be short, or empty, and still have a next page.
         */
        get: operations["listMarketplaceOffers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/marketplace-offers/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link all offers of a marketplace whose variant is certain
         * @description One request looks at 50 000 unlinked offers at most and links 10 000 at most. While `next` is not null, repeat it with that id as `after`. The offers are linked in groups of 500. When the hub stops between two groups, the answer is 503, and the same request links the rest. It counts only what it finds: the offers that were linked before are not unlinked any more, and those that it names are `already-linked`.
         */
        post: operations["linkMarketplaceOffers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stock/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compare all stock with the master shops and the marketplaces, and repair what differs
         * @description Without `connectionId` it starts a job for each connection. With `dryRun: true`, which needs a `connectionId`, it answers 200 with what would change.
         */
        post: operations["reconcileStock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/listings/connections/{connectionId}/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an offer for a variant
         * @description Answers 202 when the job is stored. The offer exists at the marketplace when the job has succeeded.
         */
        post: operations["createOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/listings/connections/{connectionId}/products/{productId}/offers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an offer for each variant of a product
         * @description Answers with one entry for each variant; `reason` says why a variant gets no offer.
         */
        post: operations["createProductOffers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/listings/connections/{connectionId}/offers/{offerId}/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change price, title or description of an offer
         * @description Only the members of the body change. The currency of a price is that of the offer. The hub leaves out fields that the seller froze. `offerId` is the id of the hub or that of the marketplace.
         */
        post: operations["updateOfferFields"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/listings/connections/{connectionId}/offers/{offerId}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an offer off the marketplace
         * @description Starts a job. `offerId` is the id of the hub or that of the marketplace.
         */
        post: operations["endOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/listings/bulk-create": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create offers for up to 100 variants or products
         * @description Answers 202 with a batch; read its progress with `readBatch`. `defaults` hold for every item that has no value of its own.
         */
        post: operations["createOffers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/listings/batches/{batchId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the progress of a batch
         * @description The batch has ended when `status` is not `running`.
         */
        get: operations["readBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/listings/batches/{batchId}/retry-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry the failed items of a batch
         * @description Answers with the jobs that run again.
         */
        post: operations["retryBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry all orders that meet a filter and failed or wait for a variant, 10 000 at most
         * @description Send `dryRun: true` first: it counts what the filter meets. While `next` is not null, repeat the request with it as `after`.
         */
        post: operations["retryOrders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{id}/personal-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove the data of the buyer from an ended order, for good; an open order is refused
         * @description Ids, quantities, prices and states stay. Later readings of the order do not bring the data back.
         */
        delete: operations["forgetOrder"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List orders of marketplaces
         * @description Without the addresses of buyers, which `readOrder` shows.
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an order with its history
         * @description The history tells what the hub did with the order. `snapshot` is the order as the marketplace showed it last.
         */
        get: operations["readOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry an order that failed or waits for a variant
         * @description Starts the jobs that bring the order into the shop.
         */
        post: operations["retryOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order, in the shop and at the marketplace
         * @description Starts the jobs that cancel the order. A repetition retries the parts that failed.
         */
        post: operations["cancelOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give back the pieces that a failed order keeps reserved
         * @description Use it when an order failed and will never be made: its pieces can be sold again.
         */
        post: operations["releaseOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{id}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the problems of an order that somebody saw to
         * @description The history keeps them. An order that waits for somebody keeps its problems: retry it.
         */
        post: operations["settleOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/orders/sweep": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * List the changed orders of a marketplace, and store those that the hub does not know
         * @description Use it after an outage, when events may have been lost. `updatedSince` says how far back to look.
         */
        post: operations["sweepOrders"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/routing-rules/candidates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who may dispatch the orders of this marketplace
         * @description One that cannot dispatch now has a `reason`.
         */
        get: operations["listRoutingCandidates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/routing-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the routing rules of this marketplace
         * @description The `ETag` is the version of the rules. Send it as `If-Match` when you replace them.
         */
        get: operations["readRoutingRules"];
        /**
         * Replace all routing rules of this marketplace
         * @description Rules that the body does not have are removed.
         */
        put: operations["replaceRoutingRules"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/routing-rules/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who would dispatch an order with this delivery method, and why
         * @description Use it to test rules before an order comes.
         */
        get: operations["resolveRoute"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/delivery-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the delivery methods that buyers of this marketplace choose from
         * @description Asks the marketplace. A routing rule names a method by its `id`.
         */
        get: operations["listDeliveryMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{id}/shipment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the parcel of an order
         * @description Shows the parcel that the hub had made by a carrier.
         */
        get: operations["readShipment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{id}/label": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the shipping label of an order, as the carrier provides it
         * @description Answers with the file of the carrier; `Content-Type` tells its kind, for example `application/pdf`.
         */
        get: operations["readLabel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run all dead jobs again that meet a filter; 200 with the plan of a dry run
         * @description Send `dryRun: true` first. With `first`, the hub runs that many and waits for `continueRedrive` before it runs the others.
         */
        post: operations["retryJobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel all dead jobs that meet a filter
         * @description For jobs that cannot succeed any more. They leave the lists of dead jobs and need nobody then; `retryJob` can still run one again. Send `dryRun: true` first.
         */
        post: operations["cancelDeadJobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/redrives": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List redrives, newest first
         * @description A redrive is the repetition of many dead jobs.
         */
        get: operations["listRedrives"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/redrives/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how far a redrive is
         * @description Counts the jobs that ran, died again or were skipped, with the reasons.
         */
        get: operations["readRedrive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/redrives/{id}/continue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run the other jobs of a redrive, too, after its first ones have ended
         * @description Refused until all of the first jobs have ended.
         */
        post: operations["continueRedrive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/redrives/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run no more jobs of a redrive; those that it has run again go on
         * @description Another redrive takes the jobs that are left.
         */
        post: operations["stopRedrive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs, newest first
         * @description Filter by status, type, connection, object or problem code. The calls to platforms are in `readJob`, and in the list of the jobs of a request that asks for `calls`.
         */
        get: operations["listJobs"];
        put?: never;
        /**
         * Run a job now
         * @description Use it to read one object of a platform again. The payload depends on the type of the job.
         */
        post: operations["runJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count dead or waiting jobs by connection, type and problem
         * @description Shows one line for each reason, for a look at many failures at once.
         */
        get: operations["countJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a job; `wait` answers when it has ended
         * @description With `wait` the request stays open until the job has ended, at most that many seconds. Check `finishedAt`: it is null when the time was too short.
         */
        get: operations["readJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a dead or cancelled job again, with all its attempts
         * @description A job that is queued, runs or succeeded is refused with a code that says which.
         */
        post: operations["retryJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job: 200 when it has ended, 202 when it is running and will be broken off
         * @description The platform may have carried out a request that was broken off. A dead job that nobody will run again ends as cancelled, too, so that it leaves the lists of dead jobs.
         */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the schedules of each connection
         * @description `nextAt` tells when a schedule makes its next job.
         */
        get: operations["listSchedules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/schedules/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change how often a schedule of a connection runs, or switch it off
         * @description `every: null` takes the interval of the configuration again.
         */
        patch: operations["updateSchedule"];
        trace?: never;
    };
    "/connections/{id}/diagnostics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say why nothing arrives from a connection, or leaves to it, and what to do; also of a deleted one
         * @description Each finding has a code, what the hub saw and the next action.
         */
        get: operations["diagnoseConnection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/figures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the hub did over time, as columns for plots
         * @description Covers all processes and survives restarts; the present minute is missing. Each array has one value for each slot.
         */
        get: operations["readFigures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find connections, variants, offers, orders, jobs and deliveries by a text, the best 20 first
         * @description Takes ids of the hub and of platforms, SKU, EAN, request ids, ids of events and parts of names.
         */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say what needs a person, the gravest first, with the cause and the next action
         * @description Empty: all goes on by itself. Answers may be a second old.
         */
        get: operations["listAttention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what needs a person and when people were told of it
         * @description Shows also the channels, and why the last message on each of them failed. What needs a person may be a second old.
         */
        get: operations["listAlerts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/alerts/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test on each channel of the alerts, and say for each whether it arrived
         * @description Reaches only the receivers that the settings name.
         */
        post: operations["testAlerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream hints that something changed; look it up then. The stream ends with its token
         * @description A hint may come late, or for a change that the token does not show. It never replaces the look.
         */
        get: operations["streamHints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a backup of the whole state. The hub goes on working; `linker restore` reads the answer
         * @description Everything that the hub acknowledged before `takenAt` in the first line is in it. The keys of the credentials are not.
         */
        post: operations["takeBackup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @example {
         *       "type": "urn:linker:problem:LNK_JOB_NOT_FOUND",
         *       "title": "Job not found",
         *       "status": 404,
         *       "detail": "Job '0198c3a1-7f2e-7c41-9d0a-5b7e3c1f2a64' not found",
         *       "code": "LNK_JOB_NOT_FOUND",
         *       "instance": "urn:linker:request:0198c3a2-11aa-7d3e-8f7b-2f1f5f0e9c10",
         *       "requestId": "0198c3a2-11aa-7d3e-8f7b-2f1f5f0e9c10"
         *     }
         */
        Problem: {
            /** @description `urn:linker:problem:` followed by the code */
            type: string;
            title: string;
            status: number;
            detail: string;
            /** @description Stable; docs/errors.md of @linker/runtime lists each with cause and remedy */
            code: string;
            /** @description `urn:linker:request:` followed by the request id */
            instance: string;
            requestId: string;
            /** @description Faults of the input, each with a JSON pointer to its place */
            errors?: {
                pointer: string;
                code: string;
                message: string;
                hint?: string;
            }[];
        };
        /**
         * @example {
         *       "ok": false,
         *       "check": "authentication",
         *       "status": 401,
         *       "code": "LNK_SIGNATURE_MISMATCH",
         *       "message": "The signature does not match the body received: the secret differs, or other bytes were signed than sent"
         *     }
         */
        WebhookVerdict: {
            ok: boolean;
            /** @description Reason why the hub would accept the event but start no job */
            ignored?: string;
            /** @description Reason why the hub would start a job that may find nothing */
            warning?: string;
            /** @description The first check that fails: encoding, connection, authentication or body */
            check?: string;
            /** @description Status that the delivery would get */
            status?: number;
            code?: string;
            message?: string;
            /** @description The body as the hub received it, when the signature does not fit. If the sender signed other bytes, its own figures differ; if they are equal, it used another secret, timestamp or order */
            received?: {
                bytes: number;
                /** @description Lower-case hex */
                sha256: string;
            };
        };
        /**
         * @example {
         *       "webhooksConfigured": true,
         *       "testPingTriggered": true
         *     }
         */
        WebhooksInstalled: {
            /** @enum {boolean} */
            webhooksConfigured: true;
            /** @description Whether a test event arrived that the hub sent to its own address */
            testPingTriggered: boolean;
            /** @description Reason why webhooks may not arrive */
            warning?: string;
        };
        /**
         * @example {
         *       "webhooksConfigured": true,
         *       "lastDeliveryAt": "2026-01-31T10:00:00.000Z",
         *       "lastDeliveryEvent": "stock.changed",
         *       "lastDeliveryResult": "accepted",
         *       "secretAgeSeconds": 86400,
         *       "testPingAt": "2026-01-30T10:00:00.000Z",
         *       "testPingProblem": null,
         *       "installWarning": null,
         *       "installWarningAt": null,
         *       "callbackUrl": "https://hub.example/webhooks/myshop/0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30"
         *     }
         */
        WebhookStatus: {
            /** @description Whether the environment holds a secret or the last install succeeded */
            webhooksConfigured: boolean;
            /** Format: date-time */
            lastDeliveryAt: string | null;
            /** @description Event type of the last delivery */
            lastDeliveryEvent: string | null;
            /** @description `ignored`, or the status of its job; `accepted` when there is no such job yet or any more */
            lastDeliveryResult: string | null;
            /** @description Age of the secret that the platform uses; null when no install made that secret */
            secretAgeSeconds: number | null;
            /**
             * Format: date-time
             * @description When the hub last sent a test event to its own address, with the secret of the last install that succeeded
             */
            testPingAt: string | null;
            /** @description Why the test event did not arrive; null when it arrived, or none was sent */
            testPingProblem: string | null;
            /** @description Why webhooks may not arrive, as the adapter said at the end of the last install that succeeded */
            installWarning: string | null;
            /**
             * Format: date-time
             * @description When that install ended; a webhook that came later shows that the platform reaches the hub
             */
            installWarningAt: string | null;
            /** @description The address that an install gives to the platform; null: `callbackBaseUrl` is missing or wrong */
            callbackUrl: string | null;
        };
        /**
         * @example {
         *       "arrived": false,
         *       "problem": "the address answered 404: another server answers there, or a proxy does not pass the path on",
         *       "callbackUrl": "https://hub.example/webhooks/myshop/0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *       "testedAt": "2026-01-31T10:00:00.000Z"
         *     }
         */
        WebhookTest: {
            /** @description Whether the event came back to this hub, and was accepted */
            arrived: boolean;
            /** @description What the hub saw instead */
            problem: string | null;
            /** @description The address to which the hub sent it */
            callbackUrl: string;
            /** Format: date-time */
            testedAt: string;
        };
        /**
         * @example {
         *       "code": "LNK_SIGNATURE_MISMATCH",
         *       "count": 4,
         *       "firstAt": "2026-01-31T09:00:00.000Z",
         *       "lastAt": "2026-01-31T10:00:00.000Z",
         *       "lastDetail": "The signature does not match the body received: the secret differs, or other bytes were signed than sent",
         *       "remedy": "Compare the secrets; sign the raw body"
         *     }
         */
        WebhookRefusal: {
            /** @description Code of the problem that the senders got */
            code: string;
            /** @description Refused deliveries since `firstAt` */
            count: number;
            /** Format: date-time */
            firstAt: string;
            /** Format: date-time */
            lastAt: string;
            /** @description Explanation in the last answer; null when it could repeat what the sender sent */
            lastDetail: string | null;
            /** @description What to do about it */
            remedy: string;
        };
        /**
         * @example {
         *       "id": "9f506172-8394-5ea5-8fb6-d027e138f249",
         *       "createdAt": "2026-01-31T10:00:00.000Z",
         *       "acceptedAt": "2026-01-31T10:00:00.000Z",
         *       "provider": "myshop",
         *       "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *       "eventId": "evt-184467",
         *       "eventType": "stock.changed",
         *       "objectType": "stock",
         *       "externalId": "27",
         *       "occurredAt": "2026-01-31T09:59:59Z",
         *       "requestId": "0198c3a4-55ee-7172-8bbf-6353934d0054",
         *       "status": "dead",
         *       "ignored": null,
         *       "jobId": "9f506172-8394-5ea5-8fb6-d027e138f249",
         *       "jobType": "myshop.stock.syncByExternalId",
         *       "waitsFor": null,
         *       "problem": {
         *         "code": "LNK_ADAPTER_REJECTED",
         *         "message": "the product is locked"
         *       },
         *       "finishedAt": "2026-01-31T10:00:02.000Z",
         *       "replayCount": 1,
         *       "lastReplay": {
         *         "jobId": "a0617283-94a5-5fb6-90c7-e138f24a035b",
         *         "createdAt": "2026-01-31T11:00:00.000Z",
         *         "status": "succeeded",
         *         "waitsFor": null,
         *         "problem": null,
         *         "finishedAt": "2026-01-31T11:00:01.000Z"
         *       },
         *       "replayableUntil": "2026-02-07T10:00:00.000Z"
         *     }
         */
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description What the sender got as `X-Linker-Delivery-Id`
             */
            id: string;
            /**
             * Format: date-time
             * @description When the event became a job or was ignored; the list is in the order of these times
             */
            createdAt: string;
            /** @description When the hub answered the sender with 202 */
            acceptedAt: string | null;
            provider: string;
            connectionId: string;
            eventId: string;
            eventType: string | null;
            objectType: string | null;
            /** @description Id of the object at the platform */
            externalId: string | null;
            occurredAt: string | null;
            requestId: string | null;
            /**
             * @description The status of the job, or `ignored`
             * @enum {string}
             */
            status: "queued" | "running" | "waiting" | "succeeded" | "dead" | "cancelled" | "ignored";
            /**
             * @description Why the event started no job
             * @enum {string|null}
             */
            ignored: "test" | "unknown event type" | "unwanted event type" | null;
            /** Format: uuid */
            jobId: string | null;
            jobType: string | null;
            waitsFor: {
                /** @enum {string} */
                reason: "connection-disabled" | "connection-error" | "connection-moving" | "connection-paused" | "capability-paused" | "connection-held" | "adapter" | "rate-limit" | "unavailable" | "budget" | "circuit-breaker" | "retry" | "delay" | "object" | "turn";
                /** @description For people */
                detail: string;
                /** @description When it ends by itself; absent when that is not known */
                until?: string;
            } | null;
            problem: {
                code: string;
                message: string;
                fields?: unknown;
            } | null;
            finishedAt: string | null;
            /** @description How often it was replayed */
            replayCount: number;
            lastReplay: {
                /** Format: uuid */
                jobId: string;
                /** Format: date-time */
                createdAt: string;
                /** @enum {string} */
                status: "queued" | "running" | "waiting" | "succeeded" | "dead" | "cancelled";
                waitsFor: {
                    /** @enum {string} */
                    reason: "connection-disabled" | "connection-error" | "connection-moving" | "connection-paused" | "capability-paused" | "connection-held" | "adapter" | "rate-limit" | "unavailable" | "budget" | "circuit-breaker" | "retry" | "delay" | "object" | "turn";
                    /** @description For people */
                    detail: string;
                    /** @description When it ends by itself; absent when that is not known */
                    until?: string;
                } | null;
                problem: {
                    code: string;
                    message: string;
                    fields?: unknown;
                } | null;
                finishedAt: string | null;
            } | null;
            /**
             * Format: date-time
             * @description Later, a replay is refused
             */
            replayableUntil: string;
        };
        /**
         * @example {
         *       "id": "9f506172-8394-5ea5-8fb6-d027e138f249",
         *       "createdAt": "2026-01-31T10:00:00.000Z",
         *       "acceptedAt": "2026-01-31T10:00:00.000Z",
         *       "provider": "myshop",
         *       "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *       "eventId": "evt-184467",
         *       "eventType": "stock.changed",
         *       "objectType": "stock",
         *       "externalId": "27",
         *       "occurredAt": "2026-01-31T09:59:59Z",
         *       "requestId": "0198c3a4-55ee-7172-8bbf-6353934d0054",
         *       "status": "dead",
         *       "ignored": null,
         *       "jobId": "9f506172-8394-5ea5-8fb6-d027e138f249",
         *       "jobType": "myshop.stock.syncByExternalId",
         *       "waitsFor": null,
         *       "problem": {
         *         "code": "LNK_ADAPTER_REJECTED",
         *         "message": "the product is locked"
         *       },
         *       "finishedAt": "2026-01-31T10:00:02.000Z",
         *       "replayCount": 1,
         *       "lastReplay": {
         *         "jobId": "a0617283-94a5-5fb6-90c7-e138f24a035b",
         *         "createdAt": "2026-01-31T11:00:00.000Z",
         *         "status": "succeeded",
         *         "waitsFor": null,
         *         "problem": null,
         *         "finishedAt": "2026-01-31T11:00:01.000Z"
         *       },
         *       "replayableUntil": "2026-02-07T10:00:00.000Z",
         *       "replays": [
         *         {
         *           "jobId": "a0617283-94a5-5fb6-90c7-e138f24a035b",
         *           "createdAt": "2026-01-31T11:00:00.000Z",
         *           "status": "succeeded",
         *           "waitsFor": null,
         *           "problem": null,
         *           "finishedAt": "2026-01-31T11:00:01.000Z"
         *         }
         *       ]
         *     }
         */
        WebhookDeliveryDetail: {
            /**
             * Format: uuid
             * @description What the sender got as `X-Linker-Delivery-Id`
             */
            id: string;
            /**
             * Format: date-time
             * @description When the event became a job or was ignored; the list is in the order of these times
             */
            createdAt: string;
            /** @description When the hub answered the sender with 202 */
            acceptedAt: string | null;
            provider: string;
            connectionId: string;
            eventId: string;
            eventType: string | null;
            objectType: string | null;
            /** @description Id of the object at the platform */
            externalId: string | null;
            occurredAt: string | null;
            requestId: string | null;
            /**
             * @description The status of the job, or `ignored`
             * @enum {string}
             */
            status: "queued" | "running" | "waiting" | "succeeded" | "dead" | "cancelled" | "ignored";
            /**
             * @description Why the event started no job
             * @enum {string|null}
             */
            ignored: "test" | "unknown event type" | "unwanted event type" | null;
            /** Format: uuid */
            jobId: string | null;
            jobType: string | null;
            waitsFor: {
                /** @enum {string} */
                reason: "connection-disabled" | "connection-error" | "connection-moving" | "connection-paused" | "capability-paused" | "connection-held" | "adapter" | "rate-limit" | "unavailable" | "budget" | "circuit-breaker" | "retry" | "delay" | "object" | "turn";
                /** @description For people */
                detail: string;
                /** @description When it ends by itself; absent when that is not known */
                until?: string;
            } | null;
            problem: {
                code: string;
                message: string;
                fields?: unknown;
            } | null;
            finishedAt: string | null;
            /** @description How often it was replayed */
            replayCount: number;
            lastReplay: {
                /** Format: uuid */
                jobId: string;
                /** Format: date-time */
                createdAt: string;
                /** @enum {string} */
                status: "queued" | "running" | "waiting" | "succeeded" | "dead" | "cancelled";
                waitsFor: {
                    /** @enum {string} */
                    reason: "connection-disabled" | "connection-error" | "connection-moving" | "connection-paused" | "capability-paused" | "connection-held" | "adapter" | "rate-limit" | "unavailable" | "budget" | "circuit-breaker" | "retry" | "delay" | "object" | "turn";
                    /** @description For people */
                    detail: string;
                    /** @description When it ends by itself; absent when that is not known */
                    until?: string;
                } | null;
                problem: {
                    code: string;
                    message: string;
                    fields?: unknown;
                } | null;
                finishedAt: string | null;
            } | null;
            /**
             * Format: date-time
             * @description Later, a replay is refused
             */
            replayableUntil: string;
            /** @description The jobs of its replays, oldest first */
            replays: {
                /** Format: uuid */
                jobId: string;
                /** Format: date-time */
                createdAt: string;
                /** @enum {string} */
                status: "queued" | "running" | "waiting" | "succeeded" | "dead" | "cancelled";
                waitsFor: {
                    /** @enum {string} */
                    reason: "connection-disabled" | "connection-error" | "connection-moving" | "connection-paused" | "capability-paused" | "connection-held" | "adapter" | "rate-limit" | "unavailable" | "budget" | "circuit-breaker" | "retry" | "delay" | "object" | "turn";
                    /** @description For people */
                    detail: string;
                    /** @description When it ends by itself; absent when that is not known */
                    until?: string;
                } | null;
                problem: {
                    code: string;
                    message: string;
                    fields?: unknown;
                } | null;
                finishedAt: string | null;
            }[];
        };
        /**
         * @example {
         *       "jobId": "a0617283-94a5-5fb6-90c7-e138f24a035b"
         *     }
         */
        WebhookReplay: {
            /** Format: uuid */
            jobId: string;
        };
        /**
         * @description The event still starts no job
         * @example {
         *       "jobId": null,
         *       "ignored": "unknown event type"
         *     }
         */
        WebhookReplayIgnored: {
            jobId: null;
            /** @enum {string} */
            ignored: "test" | "unknown event type" | "unwanted event type";
        };
        /**
         * @example {
         *       "dryRun": true,
         *       "matched": 3,
         *       "isMore": false,
         *       "jobs": 2,
         *       "alreadyReplayed": 1,
         *       "ignored": [],
         *       "refused": [],
         *       "sample": [
         *         {
         *           "id": "9f506172-8394-5ea5-8fb6-d027e138f249",
         *           "createdAt": "2026-01-31T10:00:00.000Z",
         *           "acceptedAt": "2026-01-31T10:00:00.000Z",
         *           "provider": "myshop",
         *           "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *           "eventId": "evt-184467",
         *           "eventType": "stock.changed",
         *           "objectType": "stock",
         *           "externalId": "27",
         *           "occurredAt": "2026-01-31T09:59:59Z",
         *           "requestId": "0198c3a4-55ee-7172-8bbf-6353934d0054",
         *           "status": "dead",
         *           "ignored": null,
         *           "jobId": "9f506172-8394-5ea5-8fb6-d027e138f249",
         *           "jobType": "myshop.stock.syncByExternalId",
         *           "waitsFor": null,
         *           "problem": {
         *             "code": "LNK_ADAPTER_REJECTED",
         *             "message": "the product is locked"
         *           },
         *           "finishedAt": "2026-01-31T10:00:02.000Z",
         *           "replayCount": 1,
         *           "lastReplay": {
         *             "jobId": "a0617283-94a5-5fb6-90c7-e138f24a035b",
         *             "createdAt": "2026-01-31T11:00:00.000Z",
         *             "status": "succeeded",
         *             "waitsFor": null,
         *             "problem": null,
         *             "finishedAt": "2026-01-31T11:00:01.000Z"
         *           },
         *           "replayableUntil": "2026-02-07T10:00:00.000Z",
         *           "outcome": "replayed"
         *         }
         *       ],
         *       "replays": []
         *     }
         */
        WebhookReplaySummary: {
            dryRun: boolean;
            /** @description Deliveries that meet the filter, as far as the hub looked */
            matched: number;
            /** @description The hub met a limit and stopped looking: one replay does not take all deliveries of the filter */
            isMore: boolean;
            /** @description Deliveries that start a job */
            jobs: number;
            /** @description Deliveries that could start a job, and of which an earlier replay succeeded or has not ended. They are left out of `jobs` unless `includeReplayed` is true */
            alreadyReplayed: number;
            ignored: {
                /** @enum {string} */
                reason: "test" | "unknown event type" | "unwanted event type";
                count: number;
            }[];
            refused: {
                code: string;
                /** @description The reason for the first of them */
                detail: string;
                count: number;
            }[];
            /** @description The newest of the matched deliveries, ten at most */
            sample: {
                /**
                 * Format: uuid
                 * @description What the sender got as `X-Linker-Delivery-Id`
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When the event became a job or was ignored; the list is in the order of these times
                 */
                createdAt: string;
                /** @description When the hub answered the sender with 202 */
                acceptedAt: string | null;
                provider: string;
                connectionId: string;
                eventId: string;
                eventType: string | null;
                objectType: string | null;
                /** @description Id of the object at the platform */
                externalId: string | null;
                occurredAt: string | null;
                requestId: string | null;
                /**
                 * @description The status of the job, or `ignored`
                 * @enum {string}
                 */
                status: "queued" | "running" | "waiting" | "succeeded" | "dead" | "cancelled" | "ignored";
                /**
                 * @description Why the event started no job
                 * @enum {string|null}
                 */
                ignored: "test" | "unknown event type" | "unwanted event type" | null;
                /** Format: uuid */
                jobId: string | null;
                jobType: string | null;
                waitsFor: {
                    /** @enum {string} */
                    reason: "connection-disabled" | "connection-error" | "connection-moving" | "connection-paused" | "capability-paused" | "connection-held" | "adapter" | "rate-limit" | "unavailable" | "budget" | "circuit-breaker" | "retry" | "delay" | "object" | "turn";
                    /** @description For people */
                    detail: string;
                    /** @description When it ends by itself; absent when that is not known */
                    until?: string;
                } | null;
                problem: {
                    code: string;
                    message: string;
                    fields?: unknown;
                } | null;
                finishedAt: string | null;
                /** @description How often it was replayed */
                replayCount: number;
                lastReplay: {
                    /** Format: uuid */
                    jobId: string;
                    /** Format: date-time */
                    createdAt: string;
                    /** @enum {string} */
                    status: "queued" | "running" | "waiting" | "succeeded" | "dead" | "cancelled";
                    waitsFor: {
                        /** @enum {string} */
                        reason: "connection-disabled" | "connection-error" | "connection-moving" | "connection-paused" | "capability-paused" | "connection-held" | "adapter" | "rate-limit" | "unavailable" | "budget" | "circuit-breaker" | "retry" | "delay" | "object" | "turn";
                        /** @description For people */
                        detail: string;
                        /** @description When it ends by itself; absent when that is not known */
                        until?: string;
                    } | null;
                    problem: {
                        code: string;
                        message: string;
                        fields?: unknown;
                    } | null;
                    finishedAt: string | null;
                } | null;
                /**
                 * Format: date-time
                 * @description Later, a replay is refused
                 */
                replayableUntil: string;
                /**
                 * @description What the replay does with it, or would do
                 * @enum {string}
                 */
                outcome: "replayed" | "already replayed" | "ignored" | "refused";
            }[];
            /** @description Empty in a dry run */
            replays: {
                /** Format: uuid */
                deliveryId: string;
                /** Format: uuid */
                jobId: string;
            }[];
        };
        /**
         * @example {
         *       "id": "0198c3a2-11aa-7d3e-8f7b-2f1f5f0e9c10",
         *       "name": "dashboard",
         *       "scope": "read",
         *       "createdAt": "2026-01-31T10:00:00.000Z",
         *       "createdBy": "(own token)",
         *       "expiresAt": "2026-05-01T00:00:00.000Z",
         *       "lastUsedAt": null
         *     }
         */
        Token: {
            /** Format: uuid */
            id: string;
            /** @description Says who uses the token; the hub names it wherever it says who did something */
            name: string;
            /**
             * @description read: look at everything but secrets; operate: read, and run, retry and change what the hub does with its connections; admin: operate, and change connections, credentials, adapter versions and tokens
             * @enum {string}
             */
            scope: "read" | "operate" | "admin";
            /** Format: date-time */
            createdAt: string;
            /** @description The name of the token that made this one; `(own token)` is the hub's own */
            createdBy: string;
            /**
             * Format: date-time
             * @description Null: no end
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description Null: never. Exact to a minute
             */
            lastUsedAt: string | null;
        };
        /**
         * @example {
         *       "name": "dashboard",
         *       "scope": "read",
         *       "expiresAt": "2026-01-31T22:00:00.000Z",
         *       "isSession": true
         *     }
         */
        Session: {
            /** @description The name of the token; the audit names it */
            name: string;
            /**
             * @description read: look at everything but secrets; operate: read, and run, retry and change what the hub does with its connections; admin: operate, and change connections, credentials, adapter versions and tokens
             * @enum {string}
             */
            scope: "read" | "operate" | "admin";
            /**
             * Format: date-time
             * @description Null: a token that has no end
             */
            expiresAt: string | null;
            /** @description Whether a cookie of a session came with the request */
            isSession: boolean;
        };
        /**
         * @example {
         *       "id": "0198c3b0-9c1d-7a2e-8d3f-4a5b6c7d8e9f",
         *       "createdAt": "2026-01-31T10:05:00.000Z",
         *       "actor": {
         *         "kind": "token",
         *         "name": "ada",
         *         "tokenId": "0198c3a2-11aa-7d3e-8f7b-2f1f5f0e9c10"
         *       },
         *       "requestId": "0198c3a4-55ee-7172-8bbf-6353934d0054",
         *       "action": "connection.update",
         *       "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *       "objectId": null,
         *       "objectName": "My shop",
         *       "changes": [
         *         {
         *           "pointer": "/config/language",
         *           "from": "de",
         *           "to": "en"
         *         },
         *         {
         *           "pointer": "/credentials",
         *           "isSecret": true
         *         }
         *       ]
         *     }
         */
        AuditEntry: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            createdAt: string;
            actor: {
                /** @enum {string} */
                kind: "token" | "adapter" | "hub";
                /** @description The name of the token, `adapterKey@version`, or `hub` */
                name: string;
                /** Format: uuid */
                tokenId: string | null;
            };
            /** @description The request that made the change; its jobs have the same id */
            requestId: string | null;
            /** @description Such as `connection.disable`, or the method and route of a command */
            action: string;
            /** Format: uuid */
            connectionId: string | null;
            objectId: string | null;
            /** @description The name at that time; it stays when the object is gone */
            objectName: string | null;
            changes: {
                pointer: string;
                from?: unknown;
                to?: unknown;
                isSecret?: boolean;
            }[];
        };
        /**
         * @example {
         *       "dryRun": true,
         *       "keyId": "k2",
         *       "rewrapped": [
         *         {
         *           "what": "credentials",
         *           "count": 12,
         *           "unencrypted": 1
         *         }
         *       ],
         *       "failed": [
         *         {
         *           "what": "webhook secrets",
         *           "id": "0198c3a2-11aa-7d3e-8f7b-2f1f5f0e9c10",
         *           "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *           "connection": "My shop",
         *           "keyId": "k0",
         *           "message": "the key 'k0' is not in LINKER_CREDENTIALS_KEY"
         *         }
         *       ],
         *       "unusedKeyIds": [
         *         "k1"
         *       ]
         *     }
         */
        CredentialsRewrap: {
            dryRun: boolean;
            /** @description Id of the newest key of `LINKER_CREDENTIALS_KEY` */
            keyId: string;
            rewrapped: {
                what: string;
                /** @description Secrets that are sealed with it now, or would be after a dry run */
                count: number;
                /** @description Those of them that were not encrypted before */
                unencrypted: number;
            }[];
            /** @description Secrets that no key opens; they stay as they are */
            failed: {
                what: string;
                /** @description Id of the row */
                id: string;
                /** Format: uuid */
                connectionId: string | null;
                /** @description Name of the connection */
                connection: string | null;
                /** @description Key that it is sealed with, as the row says */
                keyId: string | null;
                message: string;
            }[];
            /** @description Older keys of `LINKER_CREDENTIALS_KEY` with which nothing is sealed any more */
            unusedKeyIds: string[];
        };
        /**
         * @example {
         *       "id": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *       "platformType": "myshop",
         *       "name": "My shop",
         *       "status": "active",
         *       "statusReason": null,
         *       "config": {
         *         "baseUrl": "https://shop.example",
         *         "language": "en"
         *       },
         *       "settings": {
         *         "confirmStockJump": 500,
         *         "orderPollDays": 30
         *       },
         *       "effectiveConfig": {
         *         "baseUrl": "https://shop.example",
         *         "language": "en",
         *         "imageType": "large"
         *       },
         *       "credentialsRef": "db:myshop_1769853600000_f908cfa5-1eca-4902-a1e3-7c256255b4fa",
         *       "adapterKey": "myshop.api.v1",
         *       "adapterVersion": "1.4.0",
         *       "capabilities": [
         *         "ProductMaster",
         *         "InventoryMaster",
         *         "OrderProcessorManager"
         *       ],
         *       "account": {
         *         "name": "shop.example",
         *         "takesOrders": true
         *       },
         *       "ordersSince": null,
         *       "pauses": [],
         *       "webhooksConfigured": true,
         *       "createdAt": "2026-01-31T10:00:00.000Z",
         *       "updatedAt": "2026-01-31T10:05:00.000Z"
         *     }
         */
        Connection: {
            /** Format: uuid */
            id: string;
            platformType: string;
            name: string;
            /** @enum {string} */
            status: "active" | "disabled" | "error";
            /** @description Why the connection is in error, why an operator disabled it, or why no adapter serves it */
            statusReason: string | null;
            /** @description As it was written, without secrets */
            config: {
                [key: string]: unknown;
            };
            /** @description As the adapter gets it: `config` with the defaults of its schema. Answers about one connection have it, unless no adapter serves the connection */
            effectiveConfig?: {
                [key: string]: unknown;
            };
            /** @description The hub's own settings, as they were written. An absent one has its default */
            settings: {
                /**
                 * Sell what the shop switched off
                 * @description Offers keep the quantity of products and variants that the shop switched off or does not sell now
                 */
                sellsInactive?: boolean;
                /**
                 * Ships within
                 * @description An order that is older and not shipped becomes an item of what needs attention. Empty: no order does
                 */
                shipsWithin?: number;
                /**
                 * Confirm a jump of stock
                 * @description When the stock of a variant grows by more pieces at once, its offers keep the old quantity until a person confirms the new one. Stock that falls is always passed on. Empty: nothing waits
                 */
                confirmStockJump?: number;
                /**
                 * Read orders again for
                 * @description The hub reads an order that it made in the shop again and again, until it is delivered, cancelled or returned, and for so long at most
                 */
                orderPollDays?: number;
            };
            credentialsRef: string | null;
            adapterKey: string;
            adapterVersion: string | null;
            capabilities: string[];
            /** @description The account that it opens. Null: the platform has not named it yet */
            account: {
                /** @description Null: it is that of a person */
                name: string | null;
                /** @description False: another connection to the account takes its orders */
                takesOrders: boolean;
            } | null;
            /**
             * Format: date-time
             * @description The hub makes no order in the shop that was placed before. Null: it makes all
             */
            ordersSince: string | null;
            /** @description The pauses that stand, the one of the whole connection first */
            pauses: {
                /** @description Null: the whole connection */
                capability: string | null;
                reason: string | null;
                /**
                 * Format: date-time
                 * @description Null: until somebody ends the pause
                 */
                until: string | null;
                /** Format: date-time */
                since: string;
                by: {
                    /** @enum {string} */
                    kind: "token" | "adapter" | "hub";
                    /** @description The name of the token, `adapterKey@version`, or `hub` */
                    name: string;
                    /** Format: uuid */
                    tokenId: string | null;
                };
            }[];
            /** @description Whether the environment holds a webhook secret or the last install of webhooks succeeded */
            webhooksConfigured: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description Members of `config` that the adapter does not know, which the hub keeps, and deprecated ones; after the creation also `deleted-account`, when a deleted connection to the account can be taken over, and `account-unknown` */
            warnings?: {
                pointer: string;
                code: string;
                message: string;
            }[];
        };
        /**
         * @example {
         *       "success": true,
         *       "status": 200,
         *       "message": "The platform accepts the credentials",
         *       "latencyMs": 182,
         *       "checks": [
         *         {
         *           "name": "credentials",
         *           "ok": true,
         *           "ms": 180
         *         }
         *       ]
         *     }
         */
        ConnectionTest: {
            success: boolean;
            /** @description HTTP status of the platform's answer, when there was one */
            status?: number;
            message: string;
            latencyMs: number;
            checks: {
                name: string;
                ok: boolean;
                ms: number;
                hint?: string;
            }[];
        };
        /**
         * @example {
         *       "id": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *       "name": "My shop",
         *       "platformType": "myshop",
         *       "status": "active",
         *       "statusReason": null,
         *       "pauses": [],
         *       "breaker": null,
         *       "adapterKey": "myshop.api.v1",
         *       "adapterVersion": "1.4.0",
         *       "lastSuccessAt": "2026-01-31T10:04:02.100Z",
         *       "lastFailureAt": null,
         *       "lastFailureCode": null,
         *       "waiting": 0,
         *       "dead": 0,
         *       "succeededPerHour": [
         *         40,
         *         41,
         *         42,
         *         43,
         *         44,
         *         45,
         *         46,
         *         47,
         *         48,
         *         49,
         *         50,
         *         51,
         *         52,
         *         53,
         *         54,
         *         55,
         *         56,
         *         57,
         *         58,
         *         59,
         *         60,
         *         61,
         *         62,
         *         63
         *       ],
         *       "failedPerHour": [
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0,
         *         0
         *       ],
         *       "createdAt": "2026-01-02T08:00:00.000Z"
         *     }
         */
        ConnectionHealth: {
            /** Format: uuid */
            id: string;
            name: string;
            platformType: string;
            /** @description active, disabled or error */
            status: string;
            /** @description Why it is in this status */
            statusReason: string | null;
            /** @description The pauses that stand, of the whole connection or of a capability */
            pauses: {
                /** @description Null: the whole connection */
                capability: string | null;
                reason: string | null;
                /**
                 * Format: date-time
                 * @description Null: until somebody ends the pause
                 */
                until: string | null;
                /** Format: date-time */
                since: string;
                by: {
                    /** @enum {string} */
                    kind: "token" | "adapter" | "hub";
                    /** @description The name of the token, `adapterKey@version`, or `hub` */
                    name: string;
                    /** Format: uuid */
                    tokenId: string | null;
                };
            }[];
            breaker: {
                /** Format: date-time */
                openedAt: string;
                /**
                 * Format: date-time
                 * @description When the next call finds out whether it works
                 */
                openUntil: string;
            } | null;
            adapterKey: string;
            /** @description Null: the newest one */
            adapterVersion: string | null;
            /** @description When a job succeeded last, among its 200 newest and those of the last 24 hours */
            lastSuccessAt: string | null;
            /** @description When a run failed last, among the same. One that only had to wait, as for a pause, did not */
            lastFailureAt: string | null;
            /** @description Code of the problem of that run */
            lastFailureCode: string | null;
            /** @description Jobs that do not run yet; counting stops at 10 000 */
            waiting: number;
            /** @description Dead jobs, among the 10 000 newest of the hub */
            dead: number;
            /** @description Jobs that succeeded, by the hours of UTC, the present one last. The present minute is not in it yet */
            succeededPerHour: number[];
            /** @description Runs after which the job was dead, or had to wait for another run */
            failedPerHour: number[];
            createdAt: string;
        };
        /**
         * @example {
         *       "from": {
         *         "adapterKey": "myshop.api.v1",
         *         "adapterVersion": "1.4.0",
         *         "version": "1.4.0"
         *       },
         *       "to": {
         *         "adapterKey": "myshop.api.v1",
         *         "adapterVersion": "1.5.0",
         *         "version": "1.5.0"
         *       },
         *       "changes": {
         *         "config": [
         *           {
         *             "pointer": "/language",
         *             "from": "en",
         *             "to": "en-GB"
         *           }
         *         ],
         *         "capabilities": {
         *           "lost": [],
         *           "gained": [
         *             "ProductMaster"
         *           ]
         *         },
         *         "permissions": {
         *           "grown": [],
         *           "dropped": []
         *         },
         *         "migrations": [
         *           {
         *             "from": "1.4.0",
         *             "to": "1.5.0",
         *             "direction": "up",
         *             "isReversible": true
         *           }
         *         ],
         *         "events": [
         *           {
         *             "eventType": "price.changed",
         *             "to": "myshop.price.syncByExternalId"
         *           }
         *         ]
         *       },
         *       "warnings": [],
         *       "applied": true
         *     }
         */
        Move: {
            from: {
                adapterKey: string;
                /** @description As stored: exact version, range or `latest` */
                adapterVersion: string | null;
                /** @description Loaded version that fits; null when none does */
                version: string | null;
            };
            to: {
                adapterKey: string;
                /** @description As stored: exact version, range or `latest` */
                adapterVersion: string | null;
                /** @description Loaded version that fits; null when none does */
                version: string | null;
            };
            changes: {
                config: {
                    pointer: string;
                    from?: unknown;
                    to?: unknown;
                    isSecret?: boolean;
                }[];
                capabilities: {
                    lost: string[];
                    gained: string[];
                };
                /** @description Each continues a sentence that begins with "it may" */
                permissions: {
                    grown: string[];
                    dropped: string[];
                };
                migrations: {
                    from: string;
                    to: string;
                    /** @enum {string} */
                    direction: "up" | "down";
                    isReversible: boolean;
                }[];
                /** @description Types of webhook events that start another job. `from` is absent when events of the type are ignored now, `to` when they will be */
                events: {
                    eventType: string;
                    /** @description Type of the job before the move */
                    from?: string;
                    /** @description Type of the job after the move */
                    to?: string;
                }[];
            };
            /** @description `capability-lost`, `permission-grown` and `one-way` need a confirmation. `newer-major`: a newer major is installed under another key. `not-loaded`: a newer version is installed, which a restart of the hub loads, or which did not load */
            warnings: {
                pointer: string;
                code: string;
                message: string;
            }[];
            applied: boolean;
        };
        /**
         * @example {
         *       "id": "0198c3b1-aa2e-7b3f-8e40-5b6c7d8e9fa0",
         *       "movedAt": "2026-01-31T10:30:00.000Z",
         *       "movedBy": {
         *         "kind": "token",
         *         "name": "ada",
         *         "tokenId": "0198c3a2-11aa-7d3e-8f7b-2f1f5f0e9c10"
         *       },
         *       "from": {
         *         "adapterKey": "myshop.api.v1",
         *         "adapterVersion": "1.4.0"
         *       },
         *       "to": {
         *         "adapterKey": "myshop.api.v1",
         *         "adapterVersion": "1.5.0"
         *       },
         *       "rolledBackAt": null
         *     }
         */
        PastMove: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            movedAt: string;
            /** @description Null: not known, because an older version of the hub made the move */
            movedBy: {
                /** @enum {string} */
                kind: "token" | "adapter" | "hub";
                /** @description The name of the token, `adapterKey@version`, or `hub` */
                name: string;
                /** Format: uuid */
                tokenId: string | null;
            } | null;
            from: {
                adapterKey: string;
                /** @description As stored: exact version, range or `latest` */
                adapterVersion: string | null;
            };
            /** @description Null: not known, because an older version of the hub made the move */
            to: {
                adapterKey: string;
                /** @description As stored: exact version, range or `latest` */
                adapterVersion: string | null;
            } | null;
            /** Format: date-time */
            rolledBackAt: string | null;
        };
        /**
         * @example {
         *       "cursorKey": "orders",
         *       "value": "184467",
         *       "updatedAt": "2026-01-31T10:04:00.000Z"
         *     }
         */
        Cursor: {
            cursorKey: string;
            value: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * @example {
         *       "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *       "budget": {
         *         "declared": {
         *           "ratePerSecond": 10,
         *           "burst": 20
         *         },
         *         "own": {
         *           "ratePerSecond": 2,
         *           "burst": 5,
         *           "reason": "the cash desk uses the same account",
         *           "by": {
         *             "kind": "token",
         *             "name": "ada",
         *             "tokenId": "0198c3a2-11aa-7d3e-8f7b-2f1f5f0e9c10"
         *           },
         *           "since": "2026-01-31T10:02:11.400Z"
         *         },
         *         "learnt": null,
         *         "effective": {
         *           "ratePerSecond": 2,
         *           "burst": 5
         *         }
         *       },
         *       "throttledUntil": null,
         *       "rest": null,
         *       "breaker": {
         *         "state": "closed",
         *         "openedAt": null,
         *         "openUntil": null,
         *         "openings": 0,
         *         "failure": null
         *       },
         *       "areas": []
         *     }
         */
        Upstream: {
            /** Format: uuid */
            connectionId: string;
            budget: {
                declared: {
                    ratePerSecond: number;
                    burst: number;
                } | null;
                own: {
                    ratePerSecond: number;
                    burst: number;
                    reason: string | null;
                    by: {
                        /** @enum {string} */
                        kind: "token" | "adapter" | "hub";
                        /** @description The name of the token, `adapterKey@version`, or `hub` */
                        name: string;
                        /** Format: uuid */
                        tokenId: string | null;
                    } | null;
                    /** Format: date-time */
                    since: string | null;
                } | null;
                learnt: {
                    ratePerSecond: number;
                    /** Format: date-time */
                    throttledAt: string;
                } | null;
                effective: {
                    ratePerSecond: number;
                    burst: number;
                } | null;
            };
            /**
             * Format: date-time
             * @description The platform rests until then
             */
            throttledUntil: string | null;
            rest: {
                /** Format: date-time */
                since: string;
                /** @description The answer that asked for it, or why the platform is away */
                reason: string;
                /** @description It is off for a while, as for maintenance; else it asked to slow down */
                isAway: boolean;
            } | null;
            breaker: {
                /**
                 * @description `probing`: one call finds out whether the platform works again
                 * @enum {string}
                 */
                state: "closed" | "open" | "probing";
                /** Format: date-time */
                openedAt: string | null;
                /**
                 * Format: date-time
                 * @description When the next call may probe
                 */
                openUntil: string | null;
                /** @description How often it opened without closing in between */
                openings: number;
                /** @description The last failure that opened it */
                failure: string | null;
            };
            /** @description The areas of the platform that are slowed down or rest by themselves, or fail */
            areas: {
                name: string;
                learnt: {
                    ratePerSecond: number;
                    /** Format: date-time */
                    throttledAt: string;
                } | null;
                /**
                 * Format: date-time
                 * @description The platform rests until then
                 */
                throttledUntil: string | null;
                rest: {
                    /** Format: date-time */
                    since: string;
                    /** @description The answer that asked for it, or why the platform is away */
                    reason: string;
                    /** @description It is off for a while, as for maintenance; else it asked to slow down */
                    isAway: boolean;
                } | null;
                breaker: {
                    /**
                     * @description `probing`: one call finds out whether the platform works again
                     * @enum {string}
                     */
                    state: "closed" | "open" | "probing";
                    /** Format: date-time */
                    openedAt: string | null;
                    /**
                     * Format: date-time
                     * @description When the next call may probe
                     */
                    openUntil: string | null;
                    /** @description How often it opened without closing in between */
                    openings: number;
                    /** @description The last failure that opened it */
                    failure: string | null;
                };
            }[];
        };
        /**
         * @example {
         *       "adapter": "myshop.api.v1@1.4.0",
         *       "dryRun": true,
         *       "success": true,
         *       "value": [
         *         {
         *           "productExternalId": "27",
         *           "variantExternalId": "27",
         *           "quantity": 5
         *         }
         *       ],
         *       "latencyMs": 41,
         *       "requests": [
         *         {
         *           "at": "2026-01-31T10:04:02.100Z",
         *           "method": "GET",
         *           "path": "/products/27/stock",
         *           "status": 200,
         *           "ms": 38,
         *           "sent": true
         *         }
         *       ],
         *       "effects": {
         *         "cursors": {},
         *         "jobs": []
         *       }
         *     }
         */
        Invocation: {
            /** @description The adapter key and version that answered */
            adapter: string;
            dryRun: boolean;
            /** @description Whether the method returned */
            success: boolean;
            /** @description What the method returned. Secrets of the connection are redacted */
            value?: unknown;
            error?: {
                code: string;
                message: string;
                /** @description The members that the platform refused */
                fields?: unknown;
            };
            latencyMs: number;
            /** @description The requests to the platform, each repetition for itself; the first 100, and 100 more that were not sent */
            requests: {
                /** @description When it was sent */
                at: string;
                method: string;
                /** @description Without host and query; secrets of the connection are redacted */
                path: string;
                /** @description Null: no answer came */
                status: number | null;
                ms: number;
                /** @description Code of the failure when no complete answer came, such as `ECONNREFUSED` */
                error?: string;
                /** @description False: the dry run did not send it */
                sent: boolean;
                /** @description Only of a request that was not sent */
                query?: string;
                /** @description Only of a request that was not sent: its first 16 384 characters. Secrets are redacted */
                body?: string;
            }[];
            effects?: {
                cursors: {
                    [key: string]: string;
                };
                jobs: {
                    jobType: string;
                    payload: {
                        [key: string]: unknown;
                    };
                    key: string;
                    delayMs?: number;
                }[];
            };
            recording?: {
                $schema?: string;
                recordedAt?: string;
                exchanges: {
                    request: {
                        method: string;
                        path: string;
                        query?: {
                            [key: string]: string | string[];
                        };
                        headers?: {
                            [key: string]: string;
                        };
                        body?: unknown;
                        form?: {
                            [key: string]: string | string[];
                        };
                        text?: string;
                        bytes?: {
                            length: number;
                            sha256: string;
                        };
                    };
                    answer?: {
                        status: number;
                        headers?: {
                            [key: string]: string;
                        };
                        body?: unknown;
                        text?: string;
                    };
                    failure?: string;
                }[];
            };
        };
        /**
         * @example {
         *       "id": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *       "name": "My shop",
         *       "platformType": "myshop",
         *       "deleted": true,
         *       "obstacles": [],
         *       "openOrders": 0,
         *       "cancelledJobs": 2,
         *       "removed": [
         *         {
         *           "what": "credentials",
         *           "count": 1
         *         },
         *         {
         *           "what": "products",
         *           "count": 120
         *         }
         *       ],
         *       "kept": [
         *         {
         *           "what": "orders",
         *           "count": 37
         *         },
         *         {
         *           "what": "jobs",
         *           "count": 210
         *         }
         *       ]
         *     }
         */
        ConnectionDeletion: {
            /** Format: uuid */
            id: string;
            name: string;
            platformType: string;
            /** @description False for a dry run */
            deleted: boolean;
            /** @description What stands in the way; empty when it is deleted */
            obstacles: {
                pointer: string;
                code: string;
                message: string;
            }[];
            /** @description Orders that still need the connection; they stay as they are */
            openOrders: number;
            /** @description Jobs that wait and end as `cancelled` */
            cancelledJobs: number;
            removed: {
                what: string;
                count: number;
            }[];
            kept: {
                what: string;
                count: number;
            }[];
        };
        /**
         * @example {
         *       "id": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *       "name": "My shop",
         *       "platformType": "myshop",
         *       "adapterKey": "myshop.api.v1",
         *       "createdAt": "2026-01-31T10:00:00.000Z",
         *       "deletedAt": "2026-02-28T09:00:00.000Z"
         *     }
         */
        DeletedConnection: {
            /** Format: uuid */
            id: string;
            name: string;
            platformType: string;
            adapterKey: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            deletedAt: string;
        };
        /**
         * @example {
         *       "taken": [
         *         {
         *           "what": "orders",
         *           "count": 37
         *         },
         *         {
         *           "what": "links of offers",
         *           "count": 120
         *         },
         *         {
         *           "what": "cursors",
         *           "count": 1
         *         }
         *       ]
         *     }
         */
        TakeOver: {
            taken: {
                what: string;
                count: number;
            }[];
        };
        /**
         * @example {
         *       "version": "0.1.0",
         *       "node": "v24.21.0",
         *       "mode": "full",
         *       "role": "all",
         *       "configurationFile": "/srv/linker/linker.config.json",
         *       "dataDirectory": "/srv/linker/state",
         *       "freeBytes": 41234000000,
         *       "publicUrl": "https://hub.example",
         *       "credentialKeys": [
         *         "k1"
         *       ],
         *       "encryption": true,
         *       "isProduction": true,
         *       "console": true,
         *       "processes": [
         *         {
         *           "id": "0198c3a5-66ff-7283-9cc0-7464a45e1165",
         *           "role": "all",
         *           "mode": "full",
         *           "version": "0.1.0",
         *           "host": "hub-1",
         *           "pid": 4711,
         *           "startedAt": "2026-01-31T09:00:00.000Z",
         *           "seenAt": "2026-01-31T10:04:55.000Z",
         *           "answers": true
         *         }
         *       ],
         *       "adapters": [
         *         {
         *           "adapter": "myshop.api.v1@1.4.0",
         *           "state": "ready"
         *         }
         *       ],
         *       "start": [
         *         {
         *           "step": "opening the database",
         *           "ms": 120
         *         },
         *         {
         *           "step": "loading the adapters",
         *           "ms": 210
         *         }
         *       ],
         *       "logLevel": {
         *         "level": "info",
         *         "usual": "info",
         *         "until": null
         *       },
         *       "retention": {
         *         "webhookDays": 7,
         *         "finishedJobDays": 14,
         *         "deadJobDays": 30,
         *         "auditDays": 400,
         *         "personalDataDays": 180,
         *         "batchDays": 90,
         *         "orderDays": null,
         *         "figureMinuteHours": 48,
         *         "figureDays": 90,
         *         "streamBytes": 67108864
         *       }
         *     }
         */
        System: {
            /** @description Of `@linker/runtime` */
            version: string;
            /** @description Version of Node.js */
            node: string;
            /**
             * @description Where the hub stores its state
             * @enum {string}
             */
            mode: "embedded" | "postgres" | "full";
            /** @description LINKER_ROLE of the process that answers */
            role: string;
            /** @description Path of linker.config.json; the file need not exist */
            configurationFile: string;
            dataDirectory: string;
            /** @description Free bytes of the disk of the data directory; null: there is no such directory */
            freeBytes: number | null;
            /** @description LINKER_PUBLIC_URL */
            publicUrl: string | null;
            /** @description Ids of the keys that stored credentials and secrets are encrypted with */
            credentialKeys: string[];
            /** @description Whether new credentials and secrets are stored encrypted */
            encryption: boolean;
            /** @description NODE_ENV is production: unsafe settings are refused */
            isProduction: boolean;
            /** @description Whether the process that answers serves the console (LINKER_CONSOLE) */
            console: boolean;
            /** @description Those that were alive within the last minute */
            processes: {
                /** Format: uuid */
                id: string;
                /** @description all, http or worker */
                role: string;
                /** @description Where it stores the state of the hub; null: it is of an older version, which does not say it */
                mode: "embedded" | "postgres" | "full" | null;
                /** @description Of `@linker/runtime` */
                version: string;
                /** @description Name of its machine or container */
                host: string;
                pid: number;
                startedAt: string;
                /** @description When it last said that it lives; it does so every 15 s */
                seenAt: string;
                /** @description Whether it is the process that answers */
                answers: boolean;
            }[];
            /** @description As the process that answers has loaded them */
            adapters: {
                adapter: string;
                state: string;
            }[];
            /** @description How long each step of the start took, of the process that answers */
            start: {
                step: string;
                ms: number;
            }[];
            logLevel: {
                /** @description The level at which all processes log now */
                level: string;
                /** @description LOG_LEVEL of the process that answers */
                usual: string;
                /** @description When `usual` holds again; null: it holds now */
                until: string | null;
            };
            retention: {
                /** @description Accepted deliveries can be replayed for so long (LINKER_WEBHOOK_KEPT_DAYS) */
                webhookDays: number;
                /** @description Jobs that ended well are kept for so long */
                finishedJobDays: number;
                /** @description Dead jobs and redrives are kept for so long */
                deadJobDays: number;
                /** @description Entries of the audit are kept for so long */
                auditDays: number;
                /** @description The data of buyers are kept for so long after the end of an order; null: for ever */
                personalDataDays: number | null;
                /** @description Batches of offers are kept for so long; null: for ever */
                batchDays: number | null;
                /** @description Orders are kept for so long after their end; null: for ever */
                orderDays: number | null;
                /** @description Figures of single minutes are kept for so long */
                figureMinuteHours: number;
                /** @description Figures of hours are kept for so long */
                figureDays: number;
                /** @description Redis memory of handled events (LINKER_STREAM_BYTES) */
                streamBytes: number;
            };
        };
        /**
         * @example {
         *       "level": "debug",
         *       "usual": "info",
         *       "until": "2026-01-31T10:15:00.000Z"
         *     }
         */
        LogLevel: {
            /** @description The level at which all processes log now */
            level: string;
            /** @description LOG_LEVEL of the process that answers */
            usual: string;
            /** @description When `usual` holds again; null: it holds now */
            until: string | null;
        };
        /**
         * @example {
         *       "packageName": "@example/adapter-myshop-v1",
         *       "adapterKey": "myshop.api.v1",
         *       "platformType": "myshop",
         *       "supportedCapabilities": [
         *         "ProductMaster",
         *         "InventoryMaster"
         *       ],
         *       "displayName": "My Shop",
         *       "version": "1.4.0",
         *       "links": {
         *         "help": "https://docs.myshop.example/linker",
         *         "keys": "https://myshop.example/admin/keys"
         *       },
         *       "icon": "/adapters/myshop.api.v1/versions/1.4.0/icon",
         *       "hasChangelog": true,
         *       "state": "ready",
         *       "isolation": "worker",
         *       "features": {
         *         "ProductMaster": [
         *           "getProduct",
         *           "listProducts"
         *         ],
         *         "InventoryMaster": [
         *           "getStock",
         *           "listStock"
         *         ]
         *       },
         *       "isDefault": true,
         *       "permissions": {
         *         "http": [
         *           "${config.baseUrl}"
         *         ],
         *         "jobs": [
         *           "myshop.*"
         *         ]
         *       },
         *       "jobs": [
         *         "myshop.price.syncByExternalId"
         *       ],
         *       "schedules": [],
         *       "routes": [],
         *       "webhooks": "hmac",
         *       "budget": {
         *         "ratePerSecond": 10,
         *         "burst": 20
         *       },
         *       "authorisation": null,
         *       "conformance": {
         *         "level": 2,
         *         "suite": "0.1.0",
         *         "exempt": [
         *           "L2-ERR-06"
         *         ]
         *       },
         *       "usedBy": 1
         *     }
         */
        Adapter: {
            packageName: string;
            adapterKey: string | null;
            platformType: string | null;
            supportedCapabilities: string[];
            displayName: string | null;
            version: string | null;
            /** @description Pages for operators, by `help`, `keys`, `status` and `register`. All begin with https:// */
            links: {
                [key: string]: string;
            };
            /** @description Where its icon is served; null: it has none */
            icon: string | null;
            hasChangelog: boolean;
            /** @description `ready` and `degraded` adapters work; in other states `error` gives the reason */
            state: string;
            /** @description `inline`: in the thread of the hub; `worker`: in its own thread */
            isolation: "inline" | "worker" | null;
            /** @description Methods of each capability; null when only a client shows them */
            features: {
                [key: string]: string[] | null;
            };
            /** @description Connections of the platform that name no adapter get this one */
            isDefault: boolean;
            permissions: {
                [key: string]: unknown;
            };
            jobs: string[];
            schedules: string[];
            routes: string[];
            /** @description How webhooks are authenticated: by the hub's own `hmac` or `bearer`, or in a way of the platform */
            webhooks: string | null;
            /** @description Requests that it sends for one connection at most; null: it declares no limit */
            budget: {
                ratePerSecond: number;
                burst: number;
            } | null;
            /** @description How an account is authorised in a browser; null: an operator enters its credentials */
            authorisation: {
                /** @description POST to it begins an authorisation. The default version serves it. The body takes `returnTo`, too: a path below /console/, to which the hub redirects the browser at the end */
                path: string;
                /** @description JSON Schema of the body: the form to fill in. A secret has `secret: true` */
                schema: {
                    [key: string]: unknown;
                };
            } | null;
            /** @description The level of the conformance suite that its author reports, for exactly the files that were loaded; null: its package has no report */
            conformance: {
                /** @description 0 to 3; null when nobody knows, for the `reason` */
                level: number | null;
                /** @description Version of the SDK whose suite ran */
                suite: string | null;
                /** @description Checks that fail for a reason that its author gave */
                exempt: string[];
                reason?: string;
            } | null;
            /** @description Connections that use this version, or would use it if it were ready */
            usedBy: number;
            warning?: string;
            /** @description Present when its author wants nobody to use this version any more: what to use in its place */
            deprecated?: string;
            /** @description Present when the folder that linker.config.json names holds newer code than the hub serves */
            changed?: {
                message: string;
                remedy: string;
            };
            error?: {
                code: string;
                message: string;
            };
        };
        /**
         * @example {
         *       "id": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05",
         *       "productId": "6c2d3e4f-5061-5b72-9c83-ad94be05cf16",
         *       "externalId": "101",
         *       "name": "Red",
         *       "sku": "MUG-R",
         *       "ean": "5901234123457",
         *       "price": {
         *         "amount": "12.90",
         *         "currency": "EUR"
         *       },
         *       "regularPrice": {
         *         "amount": "14.90",
         *         "currency": "EUR"
         *       },
         *       "isSellable": true,
         *       "imageUrls": [
         *         "https://shop.example/img/101.jpg"
         *       ],
         *       "missingSince": null
         *     }
         */
        Variant: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            productId: string;
            externalId: string;
            name: string | null;
            sku: string | null;
            ean: string | null;
            /** @description What a buyer pays in the shop today, promotions included */
            price: {
                amount: string;
                currency: string;
            } | null;
            /** @description Price without the promotion; null without one */
            regularPrice: {
                amount: string;
                currency: string;
            } | null;
            /** @description False while the shop does not sell it, whatever its stock */
            isSellable: boolean;
            imageUrls: string[];
            /**
             * Format: date-time
             * @description Time since which the master shop does not list it; null while the shop lists it
             */
            missingSince: string | null;
        };
        /**
         * @example {
         *       "id": "6c2d3e4f-5061-5b72-9c83-ad94be05cf16",
         *       "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *       "externalId": "27",
         *       "name": "Mug",
         *       "description": "<p>Holds 300 ml.</p>",
         *       "isActive": true,
         *       "imageUrls": [
         *         "https://shop.example/img/27.jpg"
         *       ],
         *       "missingSince": null,
         *       "variants": [
         *         {
         *           "id": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05",
         *           "productId": "6c2d3e4f-5061-5b72-9c83-ad94be05cf16",
         *           "externalId": "101",
         *           "name": "Red",
         *           "sku": "MUG-R",
         *           "ean": "5901234123457",
         *           "price": {
         *             "amount": "12.90",
         *             "currency": "EUR"
         *           },
         *           "regularPrice": {
         *             "amount": "14.90",
         *             "currency": "EUR"
         *           },
         *           "isSellable": true,
         *           "imageUrls": [
         *             "https://shop.example/img/101.jpg"
         *           ],
         *           "missingSince": null
         *         }
         *       ],
         *       "createdAt": "2026-01-31T10:00:00.000Z",
         *       "updatedAt": "2026-01-31T10:00:00.000Z"
         *     }
         */
        Product: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            connectionId: string;
            externalId: string;
            name: string | null;
            description: string | null;
            isActive: boolean | null;
            imageUrls: string[];
            /**
             * Format: date-time
             * @description Time since which the master shop does not list it; null while the shop lists it
             */
            missingSince: string | null;
            variants: components["schemas"]["Variant"][];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * @example {
         *       "variantId": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05",
         *       "name": "Red",
         *       "sku": "MUG-R",
         *       "ean": "5901234123457",
         *       "quantity": 8,
         *       "reserved": 1,
         *       "isCounted": true,
         *       "isSellable": true,
         *       "confirmedQuantity": null,
         *       "jumpedAt": null,
         *       "sharedStockId": null,
         *       "version": 14,
         *       "missingSince": null,
         *       "updatedAt": "2026-01-31T10:04:00.000Z",
         *       "offers": [
         *         {
         *           "offerId": "7d3e4f50-6172-5c83-8d94-be05cf16d027",
         *           "connectionId": "0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41",
         *           "wantedQuantity": 7,
         *           "sentQuantity": 7,
         *           "upstreamQuantity": 8,
         *           "drift": 0,
         *           "warnings": []
         *         }
         *       ]
         *     }
         */
        Stock: {
            /** Format: uuid */
            variantId: string;
            /** @description Name of the product, and of the variant when there are others */
            name: string | null;
            sku: string | null;
            ean: string | null;
            /** @description Quantity at the last reading of the master shop. 100 for a stock that it does not count */
            quantity: number;
            /** @description Pieces sold at marketplaces that the master has not yet subtracted, of all variants of a shared stock */
            reserved: number;
            /** @description False: the master can always deliver. Offers show their `maxListed`, or `quantity` without one */
            isCounted: boolean;
            /** @description False: the shop has switched the product off, or takes no orders for it. Offers show 0 */
            isSellable: boolean;
            /** @description What the offers go by in place of `quantity`, which jumped and waits for `confirmStock`. Null: nothing waits */
            confirmedQuantity: number | null;
            /**
             * Format: date-time
             * @description When `quantity` jumped
             */
            jumpedAt: string | null;
            /**
             * Format: uuid
             * @description Variants with the same id sell from one stock; null when the variant has its own
             */
            sharedStockId: string | null;
            /** @description Grows by one at every change of `quantity`, `reserved` or `isSellable` */
            version: number;
            /**
             * Format: date-time
             * @description Time since which the master shop does not have the variant any more
             */
            missingSince: string | null;
            /** Format: date-time */
            updatedAt: string;
            offers: {
                /** Format: uuid */
                offerId: string;
                /** Format: uuid */
                connectionId: string;
                /** @description Quantity that the offer should show: `quantity` less `reserved` and the buffer, at least zero and at most `maxListed`; 0 when the shop does not sell the variant */
                wantedQuantity: number;
                /** @description Quantity that the hub last wrote */
                sentQuantity: number | null;
                /** @description Quantity that the marketplace showed since the last write */
                upstreamQuantity: number | null;
                /** @description `wantedQuantity` less `sentQuantity`; null when none was written */
                drift: number | null;
                /** @description Problems that the hub cannot repair: frozen stock, and offers of more than the master has */
                warnings: {
                    /** @enum {string} */
                    code: "stock-frozen" | "oversell";
                    message: string;
                }[];
            }[];
        };
        /**
         * @example {
         *       "confirmed": 1,
         *       "jobIds": [
         *         "9f506172-8394-5ea5-8fb6-d027e138f249"
         *       ]
         *     }
         */
        StockConfirmation: {
            /** @description How many variants waited */
            confirmed: number;
            /** @description The jobs that write their offers */
            jobIds: string[];
        };
        /**
         * @example {
         *       "id": "0198c3b2-bb3f-7c40-9f51-6c7d8e9fa0b1",
         *       "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *       "status": "complete",
         *       "problem": null,
         *       "phase": "done",
         *       "pages": 3,
         *       "seen": 120,
         *       "changed": 2,
         *       "missing": 0,
         *       "startedAt": "2026-01-31T10:00:00.000Z",
         *       "finishedAt": "2026-01-31T10:00:12.000Z"
         *     }
         */
        InventorySweep: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            connectionId: string;
            /**
             * @description `held`: too many variants were missing, so none was set to zero; `abandoned`: the sweep could not continue, so the next one starts again
             * @enum {string}
             */
            status: "running" | "complete" | "held" | "abandoned";
            problem: string | null;
            phase: string;
            pages: number;
            /** @description Number of variants */
            seen: number;
            changed: number;
            missing: number;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        /**
         * @example {
         *       "id": "7d3e4f50-6172-5c83-8d94-be05cf16d027",
         *       "connectionId": "0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41",
         *       "variantId": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05",
         *       "variant": {
         *         "name": "Red",
         *         "sku": "MUG-R",
         *         "ean": "5901234123457"
         *       },
         *       "externalId": "MUG-R-1",
         *       "status": "ACTIVE",
         *       "upstreamStatus": "active",
         *       "title": "Red mug, 300 ml",
         *       "price": {
         *         "amount": "14.90",
         *         "currency": "EUR"
         *       },
         *       "quantity": 7,
         *       "upstreamQuantity": 7,
         *       "buffer": 1,
         *       "maxListed": null,
         *       "frozenFields": [],
         *       "warnings": [],
         *       "problems": [],
         *       "lastSyncedAt": "2026-01-31T10:00:00.000Z",
         *       "createdAt": "2026-01-30T08:00:00.000Z",
         *       "updatedAt": "2026-01-31T10:00:00.000Z"
         *     }
         */
        Offer: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            connectionId: string;
            /** Format: uuid */
            variantId: string;
            /** @description The variant as its shop names it */
            variant: {
                /** @description Name of the product, and of the variant when there are others */
                name: string | null;
                sku: string | null;
                ean: string | null;
            };
            externalId: string;
            /** @enum {string} */
            status: "DRAFT" | "ACTIVE" | "INACTIVE" | "ENDED" | "FAILED";
            upstreamStatus: string | null;
            /** @description Title that the hub last wrote; null when it wrote none */
            title: string | null;
            price: {
                amount: string;
                currency: string;
            } | null;
            /** @description Quantity that the hub last wrote */
            quantity: number | null;
            /** @description Quantity that the marketplace showed since the last write; null while no reading could see that write */
            upstreamQuantity: number | null;
            buffer: number;
            maxListed: number | null;
            frozenFields: string[];
            /** @description Problems that the hub cannot repair: frozen stock, and offers of more than the master has */
            warnings: {
                /** @enum {string} */
                code: "stock-frozen" | "oversell";
                message: string;
            }[];
            problems: string[];
            /** Format: date-time */
            lastSyncedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * @example {
         *       "id": "0198c3b3-cc40-7d51-8062-7d8e9fa0b1c2",
         *       "connectionId": "0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41",
         *       "externalId": "PLATE-1",
         *       "reference": null,
         *       "sku": "PLATE",
         *       "ean": null,
         *       "status": "ACTIVE",
         *       "upstreamStatus": "active",
         *       "title": "Plate",
         *       "price": {
         *         "amount": "14.90",
         *         "currency": "EUR"
         *       },
         *       "quantity": 3,
         *       "seenAt": "2026-01-31T10:00:00.000Z",
         *       "createdAt": "2026-01-30T08:00:00.000Z"
         *     }
         */
        UnlinkedOffer: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            connectionId: string;
            externalId: string;
            /** @description The seller's own id of the offer, if the marketplace keeps one */
            reference: string | null;
            sku: string | null;
            ean: string | null;
            /** @enum {string} */
            status: "ACTIVE" | "INACTIVE";
            upstreamStatus: string | null;
            title: string | null;
            price: {
                amount: string;
                currency: string;
            } | null;
            /** @description Quantity that the marketplace showed */
            quantity: number | null;
            /** Format: date-time */
            seenAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        /**
         * @example {
         *       "offerId": "7d3e4f50-6172-5c83-8d94-be05cf16d027",
         *       "externalId": "MUG-R-1",
         *       "variant": {
         *         "id": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05",
         *         "name": "Red",
         *         "sku": "MUG-R",
         *         "ean": "5901234123457"
         *       },
         *       "connection": {
         *         "id": "0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41",
         *         "name": "My marketplace"
         *       },
         *       "verdict": "within-lag",
         *       "sentence": "The marketplace got the quantity 7 four minutes ago and shows it after 20 minutes at most.",
         *       "contributing": [],
         *       "chain": [
         *         {
         *           "step": "master",
         *           "quantity": 8,
         *           "at": "2026-01-31T10:03:00.000Z"
         *         },
         *         {
         *           "step": "after-reservations",
         *           "quantity": 1,
         *           "at": null
         *         },
         *         {
         *           "step": "wanted",
         *           "quantity": 7,
         *           "at": "2026-01-31T10:03:00.000Z"
         *         },
         *         {
         *           "step": "written",
         *           "quantity": 7,
         *           "at": "2026-01-31T10:04:00.000Z",
         *           "jobId": "9f506172-8394-5ea5-8fb6-d027e138f249"
         *         },
         *         {
         *           "step": "shown",
         *           "quantity": 8,
         *           "at": "2026-01-31T10:00:00.000Z"
         *         }
         *       ],
         *       "price": {
         *         "basis": "price",
         *         "offer": {
         *           "amount": "39.90",
         *           "currency": "PLN"
         *         },
         *         "price": {
         *           "amount": "39.90",
         *           "currency": "PLN"
         *         },
         *         "regularPrice": {
         *           "amount": "49.90",
         *           "currency": "PLN"
         *         },
         *         "sentence": "The offer has 39.90 PLN, as shop 'My shop' with its promotion; without it the price is 49.90 PLN."
         *       },
         *       "evidence": {
         *         "at": "2026-01-31T10:04:00.000Z",
         *         "until": "2026-01-31T10:24:00.000Z",
         *         "jobId": "9f506172-8394-5ea5-8fb6-d027e138f249"
         *       },
         *       "nextAction": {
         *         "sentence": "Wait until then. Then let the hub read the offer.",
         *         "command": "linker offers refresh 7d3e4f50-6172-5c83-8d94-be05cf16d027",
         *         "call": {
         *           "method": "POST",
         *           "path": "/offers/7d3e4f50-6172-5c83-8d94-be05cf16d027/refresh",
         *           "body": null
         *         }
         *       },
         *       "checkedAt": "2026-01-31T10:08:00.000Z"
         *     }
         */
        OfferExplanation: {
            /** Format: uuid */
            offerId: string;
            /** @description Id of the offer at the marketplace */
            externalId: string;
            variant: {
                /** Format: uuid */
                id: string;
                /** @description Name of the product, and of the variant when there are others */
                name: string | null;
                sku: string | null;
                ean: string | null;
            } | null;
            /** @description The marketplace */
            connection: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            verdict: "not-linked" | "master-not-read" | "sweep-held" | "switched-off" | "waits-for-confirmation" | "reserved" | "limited" | "write-waiting" | "write-dead" | "write-refused" | "connection-paused" | "connection-error" | "frozen-by-seller" | "within-lag" | "shown-not-read" | "changed-there" | "in-step";
            /** @description The verdict for people */
            sentence: string;
            /** @description What is true besides, the most important first */
            contributing: {
                verdict: "not-linked" | "master-not-read" | "sweep-held" | "switched-off" | "waits-for-confirmation" | "reserved" | "limited" | "write-waiting" | "write-dead" | "write-refused" | "connection-paused" | "connection-error" | "frozen-by-seller" | "within-lag" | "shown-not-read" | "changed-there" | "in-step";
                sentence: string;
                /** @description What the verdict rests on */
                evidence: {
                    /**
                     * Format: date-time
                     * @description When it happened; null when the hub does not keep it
                     */
                    at: string | null;
                    /**
                     * Format: date-time
                     * @description When it ends by itself
                     */
                    until?: string;
                    /** Format: uuid */
                    jobId?: string;
                    /** @description Code of the problem of the job */
                    code?: string;
                    /** @description The first 20 */
                    orders?: {
                        /** Format: uuid */
                        id: string;
                        /** @description Id of the order at its marketplace */
                        externalId: string;
                        /** Format: uuid */
                        connectionId: string;
                        status: string;
                        /** @description Pieces of the variant that it reserves */
                        quantity: number;
                        /**
                         * Format: date-time
                         * @description When the hub first read the order
                         */
                        readAt: string;
                    }[];
                    /** Format: uuid */
                    connectionId?: string;
                    /**
                     * Format: uuid
                     * @description The last sweep of the shop that has ended
                     */
                    sweepId?: string;
                    /**
                     * Format: date-time
                     * @description When the last complete sweep of the shop ended
                     */
                    lastSweepAt?: string;
                    /**
                     * Format: date-time
                     * @description When the last webhook of the shop arrived, about whatever object
                     */
                    lastEventAt?: string;
                };
                nextAction: {
                    sentence: string;
                    /** @description The command that does it, with words in capital letters to fill in; null when there is none */
                    command: string | null;
                    call: {
                        /** @enum {string} */
                        method: "GET" | "POST" | "PATCH" | "DELETE";
                        /** @description Path at the address of the hub */
                        path: string;
                        body: {
                            [key: string]: unknown;
                        } | null;
                    } | null;
                };
            }[];
            /** @description The quantity from the shop to the marketplace */
            chain: {
                step: "master" | "after-reservations" | "after-limits" | "wanted" | "written" | "shown";
                /** @description Null: not known, or not counted */
                quantity: number | null;
                /** Format: date-time */
                at: string | null;
                /** Format: uuid */
                jobId?: string;
                note?: string;
            }[];
            price: {
                /**
                 * @description The price of the shop that the offer has: that of today, or the one without its promotion
                 * @enum {string}
                 */
                basis: "price" | "regularPrice" | "other";
                offer: {
                    amount: string;
                    currency: string;
                };
                price: {
                    amount: string;
                    currency: string;
                } | null;
                regularPrice: {
                    amount: string;
                    currency: string;
                } | null;
                sentence: string;
            } | null;
            /** @description What the verdict rests on */
            evidence: {
                /**
                 * Format: date-time
                 * @description When it happened; null when the hub does not keep it
                 */
                at: string | null;
                /**
                 * Format: date-time
                 * @description When it ends by itself
                 */
                until?: string;
                /** Format: uuid */
                jobId?: string;
                /** @description Code of the problem of the job */
                code?: string;
                /** @description The first 20 */
                orders?: {
                    /** Format: uuid */
                    id: string;
                    /** @description Id of the order at its marketplace */
                    externalId: string;
                    /** Format: uuid */
                    connectionId: string;
                    status: string;
                    /** @description Pieces of the variant that it reserves */
                    quantity: number;
                    /**
                     * Format: date-time
                     * @description When the hub first read the order
                     */
                    readAt: string;
                }[];
                /** Format: uuid */
                connectionId?: string;
                /**
                 * Format: uuid
                 * @description The last sweep of the shop that has ended
                 */
                sweepId?: string;
                /**
                 * Format: date-time
                 * @description When the last complete sweep of the shop ended
                 */
                lastSweepAt?: string;
                /**
                 * Format: date-time
                 * @description When the last webhook of the shop arrived, about whatever object
                 */
                lastEventAt?: string;
            };
            nextAction: {
                sentence: string;
                /** @description The command that does it, with words in capital letters to fill in; null when there is none */
                command: string | null;
                call: {
                    /** @enum {string} */
                    method: "GET" | "POST" | "PATCH" | "DELETE";
                    /** @description Path at the address of the hub */
                    path: string;
                    body: {
                        [key: string]: unknown;
                    } | null;
                } | null;
            };
            /**
             * Format: date-time
             * @description By the clock of the database, as all times here
             */
            checkedAt: string;
        };
        /**
         * @description An offer as the marketplace last showed it to the hub. `title` and `price` of a linked offer are those that the hub last wrote, if it wrote any
         * @example {
         *       "externalId": "MUG-R-1",
         *       "sku": "MUG-R",
         *       "ean": "5901234123457",
         *       "upstreamStatus": "active",
         *       "title": "Red mug, 300 ml",
         *       "price": {
         *         "amount": "14.90",
         *         "currency": "EUR"
         *       },
         *       "reference": null,
         *       "status": "ACTIVE",
         *       "quantity": 7,
         *       "readAt": "2026-01-31T10:00:00.000Z",
         *       "link": {
         *         "state": "certain",
         *         "offerId": null,
         *         "variant": null,
         *         "suggestions": [
         *           {
         *             "variantId": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05",
         *             "name": "Red",
         *             "sku": "MUG-R",
         *             "ean": "5901234123457",
         *             "matchedBy": "sku",
         *             "certain": true,
         *             "reason": "only-match"
         *           }
         *         ]
         *       }
         *     }
         */
        MarketplaceOffer: {
            externalId: string;
            title: string | null;
            /** @description The seller's own id of the offer, if the marketplace keeps one */
            reference: string | null;
            sku: string | null;
            ean: string | null;
            /** @enum {string} */
            status: "DRAFT" | "ACTIVE" | "INACTIVE";
            upstreamStatus: string | null;
            price: {
                amount: string;
                currency: string;
            } | null;
            /** @description Quantity that the marketplace showed; null when the hub has written since */
            quantity: number | null;
            /**
             * Format: date-time
             * @description When the marketplace last showed the offer
             */
            readAt: string | null;
            link: {
                state: "linked" | "certain" | "ambiguous" | "none";
                /**
                 * Format: uuid
                 * @description Only of a linked offer
                 */
                offerId: string | null;
                variant: {
                    /** Format: uuid */
                    id: string;
                    name: string | null;
                    sku: string | null;
                    ean: string | null;
                } | null;
                /** @description Variants that may be the one of this offer, the best first; five at most */
                suggestions: {
                    /** Format: uuid */
                    variantId: string;
                    name: string | null;
                    sku: string | null;
                    ean: string | null;
                    /**
                     * @description `reference`: the hub's id of the variant; `sku`: the seller's id may also be the SKU
                     * @enum {string}
                     */
                    matchedBy: "reference" | "sku" | "ean";
                    certain: boolean;
                    reason: "only-match" | "several-variants" | "several-offers" | "variant-has-offer" | "matches-disagree" | "other-ean" | "other-sku" | "not-exact" | "better-match" | "variant-missing" | "unlinked-by-operator";
                }[];
            };
        };
        /**
         * @example {
         *       "dryRun": true,
         *       "matched": 4,
         *       "eligible": 1,
         *       "linked": 0,
         *       "skipped": [
         *         {
         *           "reason": "no-match",
         *           "count": 2
         *         },
         *         {
         *           "reason": "several-offers",
         *           "count": 1
         *         }
         *       ],
         *       "sample": [
         *         {
         *           "externalId": "MUG-R-1",
         *           "title": "Red mug, 300 ml",
         *           "variantId": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05",
         *           "name": "Red",
         *           "sku": "MUG-R",
         *           "ean": "5901234123457",
         *           "matchedBy": "sku"
         *         }
         *       ],
         *       "readAt": "2026-01-31T10:00:00.000Z",
         *       "next": null,
         *       "atMost": false
         *     }
         */
        MarketplaceLinkSummary: {
            dryRun: boolean;
            /** @description Offers that the request is about */
            matched: number;
            /** @description Those with a certain variant */
            eligible: number;
            /** @description 0 in a dry run */
            linked: number;
            skipped: {
                reason: "several-variants" | "several-offers" | "variant-has-offer" | "matches-disagree" | "other-ean" | "other-sku" | "not-exact" | "better-match" | "variant-missing" | "unlinked-by-operator" | "no-match" | "changed-meanwhile" | "already-linked" | "unknown";
                count: number;
            }[];
            /** @description The first ten eligible offers, each with its variant */
            sample: {
                externalId: string;
                title: string | null;
                /** Format: uuid */
                variantId: string;
                name: string | null;
                sku: string | null;
                ean: string | null;
                /**
                 * @description `reference`: the hub's id of the variant; `sku`: the seller's id may also be the SKU
                 * @enum {string}
                 */
                matchedBy: "reference" | "sku" | "ean";
            }[];
            /**
             * Format: date-time
             * @description The oldest reading among the eligible offers
             */
            readAt: string | null;
            /** @description The last offer that the request came to, when it left out the offers after it: repeat the request with this id as `after`. Null: it came to the end */
            next: string | null;
            /** @description Whether it left out offers: one request looks at 50 000 and links 10 000 at most. It also ends early when the connection is deleted meanwhile */
            atMost: boolean;
        };
        /**
         * @example {
         *       "connectionId": "0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41",
         *       "complete": true,
         *       "seen": 120,
         *       "changes": [
         *         {
         *           "externalId": "MUG-R-1",
         *           "from": 9,
         *           "to": 7
         *         }
         *       ],
         *       "changed": 1,
         *       "keeps": [
         *         {
         *           "externalId": "PLATE-1",
         *           "from": 3,
         *           "to": 5,
         *           "because": "frozen"
         *         }
         *       ],
         *       "kept": 1,
         *       "linked": 0,
         *       "missing": 0,
         *       "missingVariants": [],
         *       "held": false
         *     }
         */
        ReconcilePreview: {
            /** Format: uuid */
            connectionId: string;
            /** @description Whether the hub could read everything in the time of a request */
            complete: boolean;
            /** @description Number of variants that the shop listed, or of offers that the marketplace showed */
            seen: number;
            /** @description The first 200 */
            changes: {
                /** @description Id of the variant in the master shop, or of the offer at the marketplace */
                externalId: string;
                productExternalId?: string;
                from: number | null;
                to: number;
            }[];
            changed: number;
            /** @description The first 200 offers that show a wrong quantity but that the hub leaves unchanged */
            keeps: {
                /** @description Id of the variant in the master shop, or of the offer at the marketplace */
                externalId: string;
                productExternalId?: string;
                from: number | null;
                to: number;
                because: "frozen" | "refused" | "under-way" | "not-created" | "wished";
            }[];
            kept: number;
            /** @description Offers that the hub would link to a variant by their reference */
            linked: number;
            /** @description Variants that the master shop did not list; known only when `complete` */
            missing: number;
            /** @description The first 200 of the missing variants */
            missingVariants: {
                /** Format: uuid */
                variantId: string;
                name: string | null;
                sku: string | null;
                productExternalId: string;
                externalId: string;
                /** @description Quantity that a sweep would set to zero */
                quantity: number;
            }[];
            /** @description Too many are missing: a sweep sets none to zero without `acceptMissing` */
            held: boolean;
        };
        /**
         * @example {
         *       "jobId": "9f506172-8394-5ea5-8fb6-d027e138f249"
         *     }
         */
        JobReference: {
            /** Format: uuid */
            jobId: string;
        };
        /**
         * @example {
         *       "variantId": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05",
         *       "offerId": "7d3e4f50-6172-5c83-8d94-be05cf16d027",
         *       "status": "DRAFT",
         *       "jobId": "9f506172-8394-5ea5-8fb6-d027e138f249"
         *     }
         */
        OfferCreation: {
            /** Format: uuid */
            variantId: string;
            /** Format: uuid */
            offerId: string;
            status: string;
            /**
             * Format: uuid
             * @description Absent when the variant was already listed
             */
            jobId?: string;
            reason?: string;
        };
        /**
         * @example {
         *       "batchId": "0198c3b4-dd51-7e62-9173-8e9fa0b1c2d3",
         *       "jobIds": [
         *         "9f506172-8394-5ea5-8fb6-d027e138f249"
         *       ],
         *       "skipped": [
         *         {
         *           "item": {
         *             "productId": "6c2d3e4f-5061-5b72-9c83-ad94be05cf16"
         *           },
         *           "variantId": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05",
         *           "offerId": "7d3e4f50-6172-5c83-8d94-be05cf16d027",
         *           "reason": "already listed"
         *         }
         *       ]
         *     }
         */
        BatchCreation: {
            /** Format: uuid */
            batchId: string;
            jobIds: string[];
            skipped: {
                item: {
                    /** Format: uuid */
                    variantId?: string;
                    /** Format: uuid */
                    productId?: string;
                };
                /** Format: uuid */
                variantId: string;
                /** Format: uuid */
                offerId: string;
                reason: string;
            }[];
        };
        /**
         * @example {
         *       "id": "0198c3b4-dd51-7e62-9173-8e9fa0b1c2d3",
         *       "connectionId": "0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41",
         *       "status": "failed",
         *       "total": 1,
         *       "succeeded": 0,
         *       "failed": 1,
         *       "items": [
         *         {
         *           "item": {
         *             "variantId": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05"
         *           },
         *           "variantId": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05",
         *           "offerId": "7d3e4f50-6172-5c83-8d94-be05cf16d027",
         *           "jobId": "9f506172-8394-5ea5-8fb6-d027e138f249",
         *           "status": "dead",
         *           "problem": {
         *             "code": "LNK_ADAPTER_REJECTED",
         *             "message": "the category needs the parameter Material"
         *           }
         *         }
         *       ],
         *       "createdAt": "2026-01-31T10:00:00.000Z"
         *     }
         */
        OfferBatch: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            connectionId: string;
            /**
             * @description running: some items have not ended; failed: all have ended and some of them failed
             * @enum {string}
             */
            status: "running" | "succeeded" | "failed";
            total: number;
            succeeded: number;
            failed: number;
            items: {
                item: {
                    /** Format: uuid */
                    variantId?: string;
                    /** Format: uuid */
                    productId?: string;
                };
                /** Format: uuid */
                variantId: string;
                /** Format: uuid */
                offerId: string;
                /** Format: uuid */
                jobId: string;
                /** @enum {string} */
                status: "queued" | "running" | "waiting" | "succeeded" | "dead" | "cancelled";
                problem?: {
                    code: string;
                    message: string;
                    fields?: {
                        pointer: string;
                        code: string;
                        message: string;
                    }[];
                };
            }[];
            /** Format: date-time */
            createdAt: string;
        };
        /**
         * @example {
         *       "id": "8e4f5061-7283-5d94-9ea5-cf16d027e138",
         *       "connectionId": "0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41",
         *       "externalId": "A-10001",
         *       "status": "created",
         *       "sourceStatus": "processing",
         *       "upstreamStatus": "paid",
         *       "total": {
         *         "amount": "33.79",
         *         "currency": "EUR"
         *       },
         *       "reserved": 0,
         *       "handledElsewhere": null,
         *       "problems": [],
         *       "destination": {
         *         "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *         "externalId": "5012",
         *         "status": "processing"
         *       },
         *       "tracking": null,
         *       "placedAt": "2026-01-31T09:58:00.000Z",
         *       "createdAt": "2026-01-31T10:00:00.000Z",
         *       "updatedAt": "2026-01-31T10:00:04.000Z",
         *       "personalDataRemovedAt": null
         *     }
         */
        OrderSummary: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            connectionId: string;
            externalId: string;
            /** @enum {string} */
            status: "pending" | "awaiting_mapping" | "ready" | "created" | "shipped" | "delivered" | "cancelled" | "returned" | "failed" | "elsewhere";
            /** @description Status at the marketplace; `gone` when the marketplace does not know the order any more */
            sourceStatus: string;
            /** @description Status in the marketplace's own words */
            upstreamStatus: string | null;
            total: {
                amount: string;
                currency: string;
            };
            /** @description Pieces that the order reserves; other buyers cannot buy them */
            reserved: number;
            /** @description Who handles the order in place of the hub, in words: it reserves nothing, and is not made in the shop */
            handledElsewhere: string | null;
            problems: string[];
            destination: {
                /** Format: uuid */
                connectionId: string;
                externalId: string | null;
                /** @description Status of the order in the shop */
                status: string | null;
            } | null;
            tracking: {
                carrier: string;
                number: string;
                url?: string;
            } | null;
            /** Format: date-time */
            placedAt: string;
            /**
             * Format: date-time
             * @description When the data of the buyer were removed; null: the order still has them
             */
            personalDataRemovedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * @example {
         *       "id": "8e4f5061-7283-5d94-9ea5-cf16d027e138",
         *       "connectionId": "0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41",
         *       "externalId": "A-10001",
         *       "status": "created",
         *       "sourceStatus": "processing",
         *       "upstreamStatus": "paid",
         *       "total": {
         *         "amount": "33.79",
         *         "currency": "EUR"
         *       },
         *       "reserved": 0,
         *       "handledElsewhere": null,
         *       "problems": [],
         *       "destination": {
         *         "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *         "externalId": "5012",
         *         "status": "processing"
         *       },
         *       "tracking": null,
         *       "placedAt": "2026-01-31T09:58:00.000Z",
         *       "createdAt": "2026-01-31T10:00:00.000Z",
         *       "updatedAt": "2026-01-31T10:00:04.000Z",
         *       "personalDataRemovedAt": null,
         *       "waitsFor": null,
         *       "snapshot": {
         *         "externalId": "A-10001",
         *         "status": "processing",
         *         "upstreamStatus": "paid",
         *         "revision": "7",
         *         "placedAt": "2026-01-31T09:58:00.000Z",
         *         "buyer": {
         *           "email": "anna@example.com"
         *         },
         *         "lines": [
         *           {
         *             "externalId": "1",
         *             "offerExternalId": "MUG-R-1",
         *             "name": "Red mug",
         *             "quantity": 2,
         *             "unitPrice": {
         *               "amount": "14.90",
         *               "currency": "EUR"
         *             }
         *           }
         *         ],
         *         "total": {
         *           "amount": "33.79",
         *           "currency": "EUR"
         *         },
         *         "payment": {
         *           "method": "prepaid",
         *           "paid": {
         *             "amount": "33.79",
         *             "currency": "EUR"
         *           },
         *           "methodName": "Card"
         *         },
         *         "shipping": {
         *           "methodId": "courier",
         *           "methodName": "Courier",
         *           "price": {
         *             "amount": "3.99",
         *             "currency": "EUR"
         *           },
         *           "address": {
         *             "firstName": "Anna",
         *             "lastName": "Nowak",
         *             "street": "Example Street 1",
         *             "postcode": "10115",
         *             "city": "Berlin",
         *             "country": "DE"
         *           }
         *         }
         *       },
         *       "changes": [],
         *       "lines": [
         *         {
         *           "externalId": "1",
         *           "offerExternalId": "MUG-R-1",
         *           "quantity": 2,
         *           "variantId": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05"
         *         }
         *       ],
         *       "history": [
         *         {
         *           "at": "2026-01-31T10:00:00.000Z",
         *           "event": "ingested",
         *           "detail": {
         *             "status": "ready",
         *             "revision": "7"
         *           }
         *         }
         *       ]
         *     }
         */
        Order: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            connectionId: string;
            externalId: string;
            /** @enum {string} */
            status: "pending" | "awaiting_mapping" | "ready" | "created" | "shipped" | "delivered" | "cancelled" | "returned" | "failed" | "elsewhere";
            /** @description Status at the marketplace; `gone` when the marketplace does not know the order any more */
            sourceStatus: string;
            /** @description Status in the marketplace's own words */
            upstreamStatus: string | null;
            total: {
                amount: string;
                currency: string;
            };
            /** @description Pieces that the order reserves; other buyers cannot buy them */
            reserved: number;
            /** @description Who handles the order in place of the hub, in words: it reserves nothing, and is not made in the shop */
            handledElsewhere: string | null;
            problems: string[];
            destination: {
                /** Format: uuid */
                connectionId: string;
                externalId: string | null;
                /** @description Status of the order in the shop */
                status: string | null;
            } | null;
            tracking: {
                carrier: string;
                number: string;
                url?: string;
            } | null;
            /** Format: date-time */
            placedAt: string;
            /**
             * Format: date-time
             * @description When the data of the buyer were removed; null: the order still has them
             */
            personalDataRemovedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            waitsFor: {
                /** Format: uuid */
                jobId: string;
                jobType: string;
                /** @description The shop */
                connectionId: string | null;
                /** @enum {string} */
                status: "queued" | "running" | "waiting" | "succeeded" | "dead" | "cancelled";
                /**
                 * @description Why the job does not run yet; null when it runs
                 * @enum {string|null}
                 */
                reason: "connection-disabled" | "connection-error" | "connection-moving" | "connection-paused" | "capability-paused" | "connection-held" | "adapter" | "rate-limit" | "unavailable" | "budget" | "circuit-breaker" | "retry" | "delay" | "object" | "turn" | null;
                /** @description For people */
                detail: string;
                /** @description When it ends by itself; absent when that is not known */
                until?: string;
            } | null;
            snapshot: {
                externalId: string;
                /** @enum {string} */
                status: "pending" | "processing" | "shipped" | "delivered" | "cancelled" | "returned";
                upstreamStatus?: string;
                revision: string;
                placedAt: string;
                buyer: {
                    externalId?: string;
                    email?: string;
                };
                lines: {
                    externalId: string;
                    offerExternalId?: string;
                    name: string;
                    quantity: number;
                    unitPrice: {
                        amount: string;
                        currency: string;
                    };
                }[];
                extras?: {
                    /** @enum {string} */
                    kind: "deposit" | "service" | "other";
                    name: string;
                    price: {
                        amount: string;
                        currency: string;
                    };
                }[];
                total: {
                    amount: string;
                    currency: string;
                };
                payment: {
                    /** @enum {string} */
                    method: "prepaid" | "cash-on-delivery" | "deferred";
                    paid: {
                        amount: string;
                        currency: string;
                    };
                    methodName?: string;
                };
                /** @enum {string} */
                fulfilment?: "seller" | "elsewhere";
                shipping: {
                    methodId: string;
                    methodName?: string;
                    price: {
                        amount: string;
                        currency: string;
                    };
                    pickupPointId?: string;
                    address?: {
                        firstName?: string;
                        lastName?: string;
                        company?: string;
                        taxId?: string;
                        street: string;
                        postcode: string;
                        city: string;
                        country: string;
                        phone?: string;
                    };
                };
                invoiceAddress?: {
                    firstName?: string;
                    lastName?: string;
                    company?: string;
                    taxId?: string;
                    street: string;
                    postcode: string;
                    city: string;
                    country: string;
                    phone?: string;
                };
                comment?: string;
                tracking?: {
                    carrier: string;
                    number: string;
                    url?: string;
                };
            };
            /** @description How the order at the marketplace differs from what the shop got; null: there is none */
            changes: {
                what: string;
                inShop: string | null;
                atMarketplace: string | null;
            }[];
            lines: {
                externalId: string;
                offerExternalId: string | null;
                quantity: number;
                /** Format: uuid */
                variantId: string | null;
            }[];
            history: {
                /** Format: date-time */
                at: string;
                event: string;
                detail: {
                    [key: string]: unknown;
                };
            }[];
        };
        /**
         * @example {
         *       "dryRun": true,
         *       "matched": 3,
         *       "eligible": 1,
         *       "retried": 0,
         *       "remaining": 0,
         *       "next": null,
         *       "skipped": [
         *         {
         *           "reason": "created",
         *           "count": 2
         *         }
         *       ],
         *       "byGroup": [
         *         {
         *           "connectionId": "0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41",
         *           "status": "failed",
         *           "code": "not-created",
         *           "count": 1
         *         }
         *       ],
         *       "sample": [
         *         {
         *           "id": "8e4f5061-7283-5d94-9ea5-cf16d027e138",
         *           "connectionId": "0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41",
         *           "externalId": "A-10001",
         *           "status": "failed",
         *           "sourceStatus": "processing",
         *           "upstreamStatus": "paid",
         *           "total": {
         *             "amount": "33.79",
         *             "currency": "EUR"
         *           },
         *           "reserved": 2,
         *           "handledElsewhere": null,
         *           "problems": [
         *             "Country DE is not active"
         *           ],
         *           "destination": {
         *             "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *             "externalId": "5012",
         *             "status": "processing"
         *           },
         *           "tracking": null,
         *           "placedAt": "2026-01-31T09:58:00.000Z",
         *           "createdAt": "2026-01-31T10:00:00.000Z",
         *           "updatedAt": "2026-01-31T10:00:04.000Z",
         *           "personalDataRemovedAt": null
         *         }
         *       ],
         *       "atMost": false
         *     }
         */
        OrderRetrySummary: {
            dryRun: boolean;
            /** @description Orders that meet the filter; those that cannot be retried are left out when it has `code` without `externalId`, and with `after` */
            matched: number;
            /** @description Orders among them that can be retried */
            eligible: number;
            /** @description Orders that were retried; 0 in a dry run */
            retried: number;
            /** @description Eligible orders that the request did not reach; 0 in a dry run. Others may follow when `next` is not null */
            remaining: number;
            /**
             * Format: uuid
             * @description The last order that was reached, when others follow. Send it as `after` to go on behind it
             */
            next: string | null;
            skipped: {
                /**
                 * @description The status of the order; `not-created`: no shop, or several, would get it, as its problem says; `already-retried`: an earlier try of this request did it; `connection-deleted`, `connection-disabled`: its marketplace is; `retry-failed`: the hub failed, and its log shows the error
                 * @enum {string}
                 */
                reason: "pending" | "ready" | "created" | "shipped" | "delivered" | "cancelled" | "returned" | "elsewhere" | "not-created" | "already-retried" | "connection-deleted" | "connection-disabled" | "retry-failed";
                count: number;
            }[];
            /** @description The eligible orders that the request reached, the largest group first */
            byGroup: {
                /** Format: uuid */
                connectionId: string;
                /** @enum {string} */
                status: "awaiting_mapping" | "failed";
                /** @description Code of the last problem; null without a problem */
                code: string | null;
                count: number;
            }[];
            /** @description The oldest of the eligible orders, ten at most */
            sample: components["schemas"]["OrderSummary"][];
            /** @description There are more orders than are counted (10 000), or than the request had time for (20 seconds). It takes the oldest; `next` leads to the others */
            atMost: boolean;
        };
        /**
         * @example {
         *       "id": "8e4f5061-7283-5d94-9ea5-cf16d027e138",
         *       "externalId": "A-10001",
         *       "deleted": true,
         *       "personalDataRemovedAt": "2026-08-01T10:00:00.000Z",
         *       "obstacles": [],
         *       "removed": [
         *         {
         *           "what": "jobs",
         *           "count": 4
         *         }
         *       ]
         *     }
         */
        PersonalDataRemoval: {
            /** Format: uuid */
            id: string;
            /** @description Id of the order at its marketplace */
            externalId: string;
            /** @description False for a dry run */
            deleted: boolean;
            /** Format: date-time */
            personalDataRemovedAt: string | null;
            /** @description What stands in the way; empty when the data are removed */
            obstacles: {
                pointer: string;
                code: string;
                message: string;
            }[];
            removed: {
                what: string;
                count: number;
            }[];
        };
        /**
         * @example {
         *       "processorKind": "hub_managed_carrier",
         *       "processorConnectionId": "0198c3a1-4b8e-7d20-9c63-8f7ba03e4d52",
         *       "displayName": "My carrier",
         *       "reason": "the connection is disabled"
         *     }
         */
        RoutingCandidate: {
            /** @enum {string} */
            processorKind: "hub_managed_carrier" | "source_brokered" | "omp_fulfilled";
            /** Format: uuid */
            processorConnectionId?: string;
            displayName: string;
            /** @description Reason why it cannot make labels now */
            reason?: string;
        };
        /**
         * @example {
         *       "items": [
         *         {
         *           "sourceDeliveryMethodId": "courier",
         *           "processorKind": "hub_managed_carrier",
         *           "processorConnectionId": "0198c3a1-4b8e-7d20-9c63-8f7ba03e4d52"
         *         }
         *       ]
         *     }
         */
        RoutingRules: {
            items: {
                sourceDeliveryMethodId: string;
                /** @enum {string} */
                processorKind: "hub_managed_carrier" | "source_brokered" | "omp_fulfilled";
                /**
                 * Format: uuid
                 * @description The carrier; only with `hub_managed_carrier`
                 */
                processorConnectionId?: string;
            }[];
        };
        /**
         * @example {
         *       "processorKind": "hub_managed_carrier",
         *       "processorConnectionId": "0198c3a1-4b8e-7d20-9c63-8f7ba03e4d52",
         *       "explanation": "a rule gives the delivery method 'courier' to 'My carrier'"
         *     }
         */
        Route: {
            /** @enum {string} */
            processorKind: "hub_managed_carrier" | "source_brokered" | "omp_fulfilled";
            /** Format: uuid */
            processorConnectionId?: string;
            explanation: string;
            /** @description Reason why an order would wait */
            problem?: string;
        };
        /**
         * @example {
         *       "orderId": "8e4f5061-7283-5d94-9ea5-cf16d027e138",
         *       "connectionId": "0198c3a1-4b8e-7d20-9c63-8f7ba03e4d52",
         *       "status": "created",
         *       "externalId": "5",
         *       "tracking": {
         *         "carrier": "parcels",
         *         "number": "PRC000000005",
         *         "url": "https://parcels.example/PRC000000005"
         *       },
         *       "problem": null,
         *       "createdAt": "2026-01-31T10:10:00.000Z",
         *       "updatedAt": "2026-01-31T10:10:02.000Z"
         *     }
         */
        Shipment: {
            /** Format: uuid */
            orderId: string;
            /**
             * Format: uuid
             * @description The carrier
             */
            connectionId: string;
            /** @enum {string} */
            status: "requested" | "created" | "failed" | "cancelled";
            externalId: string | null;
            tracking: {
                carrier: string;
                number: string;
                url?: string;
            } | null;
            problem: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * @example {
         *       "id": "9f506172-8394-5ea5-8fb6-d027e138f249",
         *       "jobType": "myshop.price.syncByExternalId",
         *       "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *       "objectKey": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30:price:27",
         *       "idempotencyKey": "webhook:0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30:evt-184467",
         *       "payload": {
         *         "externalId": "27"
         *       },
         *       "requestId": "0198c3a4-55ee-7172-8bbf-6353934d0054",
         *       "status": "dead",
         *       "attempts": [
         *         {
         *           "startedAt": "2026-01-31T10:00:01.000Z",
         *           "finishedAt": "2026-01-31T10:00:01.250Z",
         *           "error": {
         *             "code": "LNK_ADAPTER_TRANSIENT",
         *             "message": "the shop answered 503"
         *           },
         *           "calls": [
         *             {
         *               "at": "2026-01-31T10:00:01.020Z",
         *               "method": "GET",
         *               "path": "/api/products/27",
         *               "status": 503,
         *               "ms": 214
         *             }
         *           ]
         *         }
         *       ],
         *       "result": null,
         *       "problem": {
         *         "code": "LNK_ADAPTER_TRANSIENT",
         *         "message": "the shop answered 503"
         *       },
         *       "adapter": "myshop.api.v1@1.4.0",
         *       "coalescedInto": null,
         *       "cancellation": null,
         *       "dueAt": null,
         *       "waitsFor": null,
         *       "createdAt": "2026-01-31T10:00:00.000Z",
         *       "finishedAt": "2026-01-31T10:00:01.250Z"
         *     }
         */
        Job: {
            /** Format: uuid */
            id: string;
            jobType: string;
            connectionId: string | null;
            /** @description Jobs with the same key work on the same object, one at a time */
            objectKey: string;
            idempotencyKey: string;
            payload: {
                [key: string]: unknown;
            };
            requestId: string | null;
            /** @enum {string} */
            status: "queued" | "running" | "waiting" | "succeeded" | "dead" | "cancelled";
            attempts: {
                startedAt: string;
                finishedAt: string;
                error?: {
                    code: string;
                    message: string;
                };
                /** @description The requests to platforms, each repetition for itself: up to 8 of an attempt that succeeded, 20 of one that failed. `GET /jobs/{id}` shows them, and a list that asks for `calls` */
                calls?: {
                    /** @description When it was sent */
                    at: string;
                    method: string;
                    /** @description Without host and query; secrets of the connection are redacted */
                    path: string;
                    /** @description Null: no answer came */
                    status: number | null;
                    ms: number;
                    /** @description Code of the failure when no complete answer came, such as `ECONNREFUSED` */
                    error?: string;
                }[];
                /** @description How many requests in the middle were not kept: `calls` has as many from before as from after them */
                callsLeftOut?: number;
            }[];
            result: unknown;
            problem: {
                code: string;
                message: string;
                fields?: unknown;
            } | null;
            /** @description `adapterKey@version` that served the last attempt */
            adapter: string | null;
            /** @description The waiting job that runs in place of this one */
            coalescedInto: string | null;
            cancellation: {
                requestedAt: string;
                /** @description Name of the token */
                by: string;
                reason: string | null;
            } | null;
            /** @description When it may run; null when it runs, has ended or waits for a pause without an end */
            dueAt: string | null;
            waitsFor: {
                /** @enum {string} */
                reason: "connection-disabled" | "connection-error" | "connection-moving" | "connection-paused" | "capability-paused" | "connection-held" | "adapter" | "rate-limit" | "unavailable" | "budget" | "circuit-breaker" | "retry" | "delay" | "object" | "turn";
                /** @description For people */
                detail: string;
                /** @description When it ends by itself; absent when that is not known */
                until?: string;
            } | null;
            createdAt: string;
            finishedAt: string | null;
        };
        /**
         * @example {
         *       "groups": [
         *         {
         *           "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *           "jobType": "myshop.price.syncByExternalId",
         *           "code": "LNK_ADAPTER_TRANSIENT",
         *           "count": 12,
         *           "firstAt": "2026-01-31T10:00:00.000Z",
         *           "lastAt": "2026-01-31T10:20:00.000Z",
         *           "sampleJobId": "9f506172-8394-5ea5-8fb6-d027e138f249",
         *           "reason": null
         *         }
         *       ],
         *       "atMost": false
         *     }
         */
        JobGroups: {
            /** @description The largest first */
            groups: {
                /** Format: uuid */
                connectionId: string | null;
                jobType: string;
                /** @description Code of the problem; null when the jobs have none */
                code: string | null;
                count: number;
                /** @description When the first of them died, or was made when they wait */
                firstAt: string;
                /** @description When the last of them died, or was made when they wait */
                lastAt: string;
                /**
                 * Format: uuid
                 * @description The last of them
                 */
                sampleJobId: string;
                /**
                 * @description Why the sample waits, as its `waitsFor` says; null when it is dead, or begins now
                 * @enum {string|null}
                 */
                reason: "connection-disabled" | "connection-error" | "connection-moving" | "connection-paused" | "capability-paused" | "connection-held" | "adapter" | "rate-limit" | "unavailable" | "budget" | "circuit-breaker" | "retry" | "delay" | "object" | "turn" | null;
            }[];
            /** @description There are more than 10 000 jobs, and only so many are counted */
            atMost: boolean;
        };
        /**
         * @example {
         *       "matched": 12,
         *       "eligible": 11,
         *       "skipped": [
         *         {
         *           "reason": "connection-disabled",
         *           "count": 1
         *         }
         *       ],
         *       "byGroup": [
         *         {
         *           "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *           "connectionName": "My shop",
         *           "jobType": "myshop.price.syncByExternalId",
         *           "code": "LNK_ADAPTER_TRANSIENT",
         *           "count": 11
         *         }
         *       ],
         *       "sample": [
         *         {
         *           "id": "a0617283-94a5-5fb6-90c7-e138f24a035b",
         *           "jobType": "myshop.price.syncByExternalId",
         *           "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *           "objectKey": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30:price:27",
         *           "idempotencyKey": "webhook:0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30:evt-184467",
         *           "payload": {
         *             "externalId": "27"
         *           },
         *           "requestId": "0198c3a4-55ee-7172-8bbf-6353934d0054",
         *           "status": "dead",
         *           "attempts": [
         *             {
         *               "startedAt": "2026-01-31T10:00:01.000Z",
         *               "finishedAt": "2026-01-31T10:00:01.250Z",
         *               "error": {
         *                 "code": "LNK_ADAPTER_TRANSIENT",
         *                 "message": "the shop answered 503"
         *               },
         *               "calls": [
         *                 {
         *                   "at": "2026-01-31T10:00:01.020Z",
         *                   "method": "GET",
         *                   "path": "/api/products/27",
         *                   "status": 503,
         *                   "ms": 214
         *                 }
         *               ]
         *             }
         *           ],
         *           "result": null,
         *           "problem": {
         *             "code": "LNK_ADAPTER_TRANSIENT",
         *             "message": "the shop answered 503"
         *           },
         *           "adapter": "myshop.api.v1@1.4.0",
         *           "coalescedInto": null,
         *           "cancellation": null,
         *           "dueAt": null,
         *           "waitsFor": null,
         *           "createdAt": "2026-01-31T10:00:00.000Z",
         *           "finishedAt": "2026-01-31T10:00:01.250Z"
         *         }
         *       ],
         *       "atMost": false
         *     }
         */
        RedrivePlan: {
            /** @description Jobs that meet the filter, and those that it names */
            matched: number;
            /** @description Those of them that would run again */
            eligible: number;
            skipped: {
                /** @enum {string} */
                reason: "not-dead" | "does-not-match" | "job-not-found" | "connection-deleted" | "connection-disabled" | "type-unknown" | "retry-failed";
                count: number;
            }[];
            /** @description The dead jobs by connection, type and problem; the largest group first */
            byGroup: {
                /** Format: uuid */
                connectionId: string | null;
                /** @description Null when the connection is deleted */
                connectionName: string | null;
                jobType: string;
                /** @description Code of the problem */
                code: string | null;
                count: number;
            }[];
            /** @description The 10 jobs that would come first */
            sample: components["schemas"]["Job"][];
            /** @description There are more than 10000 jobs, and only so many are counted. A redrive takes the oldest */
            atMost: boolean;
        };
        /**
         * @example {
         *       "id": "0198c3b5-ee62-7f73-8284-9fa0b1c2d3e4",
         *       "redriveId": "0198c3b5-ee62-7f73-8284-9fa0b1c2d3e4",
         *       "state": "running",
         *       "total": 12,
         *       "atMost": false
         *     }
         */
        RedriveStarted: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @deprecated
             * @description The old name of `id`
             */
            redriveId: string;
            /**
             * @description `running`: until the last job has ended. `waiting`: the first jobs have ended; continue it or stop it
             * @enum {string}
             */
            state: "running" | "waiting" | "stopped" | "done";
            /** @description Jobs that met the filter; they are fixed now */
            total: number;
            /** @description There are more than 10000 jobs, and only so many are counted. A redrive takes the oldest */
            atMost: boolean;
        };
        /**
         * @example {
         *       "id": "0198c3b5-ee62-7f73-8284-9fa0b1c2d3e4",
         *       "state": "waiting",
         *       "detail": "the first job succeeded; 11 jobs wait until somebody continues or stops it",
         *       "filter": {
         *         "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *         "code": "LNK_ADAPTER_TRANSIENT"
         *       },
         *       "first": 1,
         *       "perMinute": 60,
         *       "total": 12,
         *       "retried": 1,
         *       "succeeded": 1,
         *       "deadAgain": 0,
         *       "cancelled": 0,
         *       "inProgress": 0,
         *       "skipped": [],
         *       "remaining": 11,
         *       "deaths": [],
         *       "atMost": false,
         *       "startedAt": "2026-01-31T10:30:00.000Z",
         *       "startedBy": {
         *         "kind": "token",
         *         "name": "ada",
         *         "tokenId": "0198c3a2-11aa-7d3e-8f7b-2f1f5f0e9c10"
         *       },
         *       "endedAt": null
         *     }
         */
        Redrive: {
            /** Format: uuid */
            id: string;
            /**
             * @description `running`: until the last job has ended. `waiting`: the first jobs have ended; continue it or stop it
             * @enum {string}
             */
            state: "running" | "waiting" | "stopped" | "done";
            /** @description For people */
            detail: string;
            /** @description Which dead jobs; one member at least. A job has to meet all of them */
            filter: {
                /** Format: uuid */
                connectionId?: string;
                jobType?: string;
                /** @description Code of the problem for which the job died, waits or was cancelled */
                code?: string;
                /** @description The `objectKey` of a job: all jobs of its object */
                objectKey?: string;
                /**
                 * Format: uuid
                 * @description Jobs about this offer alone
                 */
                offerId?: string;
                /**
                 * Format: uuid
                 * @description Jobs that tell a shop, a marketplace or a carrier about this order
                 */
                orderId?: string;
                /**
                 * Format: date-time
                 * @description Made at this time or later
                 */
                since?: string;
                /**
                 * Format: date-time
                 * @description Made before this time
                 */
                until?: string;
                /** @description Only these jobs. Those that are not dead, or do not meet the other members, are skipped */
                jobIds?: string[];
            };
            first: number | null;
            perMinute: number | null;
            /** @description Jobs that met the filter when it started */
            total: number;
            /** @description Jobs that it has run again */
            retried: number;
            succeeded: number;
            deadAgain: number;
            /** @description Jobs that somebody cancelled after it had run them again */
            cancelled: number;
            /** @description Jobs that it has run again and that have not ended */
            inProgress: number;
            skipped: {
                /** @enum {string} */
                reason: "not-dead" | "does-not-match" | "job-not-found" | "connection-deleted" | "connection-disabled" | "type-unknown" | "retry-failed";
                count: number;
            }[];
            /** @description Jobs that it has not reached */
            remaining: number;
            /** @description Of what the jobs died again */
            deaths: {
                /** @description Code of the problem; null when the job was retried again since */
                code: string | null;
                count: number;
                /** Format: uuid */
                sampleJobId: string;
            }[];
            /** @description There are more than 10000 jobs, and only so many are counted. A redrive takes the oldest */
            atMost: boolean;
            /** Format: date-time */
            startedAt: string;
            startedBy: {
                /** @enum {string} */
                kind: "token" | "adapter" | "hub";
                /** @description The name of the token, `adapterKey@version`, or `hub` */
                name: string;
                /** Format: uuid */
                tokenId: string | null;
            };
            /**
             * Format: date-time
             * @description When it was done or stopped
             */
            endedAt: string | null;
        };
        /**
         * @example {
         *       "matched": 12,
         *       "cancelled": 12,
         *       "skipped": [],
         *       "byGroup": [
         *         {
         *           "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *           "connectionName": "My shop",
         *           "jobType": "myshop.price.syncByExternalId",
         *           "code": "LNK_ADAPTER_TRANSIENT",
         *           "count": 12
         *         }
         *       ],
         *       "sample": [
         *         {
         *           "id": "a0617283-94a5-5fb6-90c7-e138f24a035b",
         *           "jobType": "myshop.price.syncByExternalId",
         *           "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *           "objectKey": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30:price:27",
         *           "idempotencyKey": "webhook:0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30:evt-184467",
         *           "payload": {
         *             "externalId": "27"
         *           },
         *           "requestId": "0198c3a4-55ee-7172-8bbf-6353934d0054",
         *           "status": "dead",
         *           "attempts": [
         *             {
         *               "startedAt": "2026-01-31T10:00:01.000Z",
         *               "finishedAt": "2026-01-31T10:00:01.250Z",
         *               "error": {
         *                 "code": "LNK_ADAPTER_TRANSIENT",
         *                 "message": "the shop answered 503"
         *               },
         *               "calls": [
         *                 {
         *                   "at": "2026-01-31T10:00:01.020Z",
         *                   "method": "GET",
         *                   "path": "/api/products/27",
         *                   "status": 503,
         *                   "ms": 214
         *                 }
         *               ]
         *             }
         *           ],
         *           "result": null,
         *           "problem": {
         *             "code": "LNK_ADAPTER_TRANSIENT",
         *             "message": "the shop answered 503"
         *           },
         *           "adapter": "myshop.api.v1@1.4.0",
         *           "coalescedInto": null,
         *           "cancellation": null,
         *           "dueAt": null,
         *           "waitsFor": null,
         *           "createdAt": "2026-01-31T10:00:00.000Z",
         *           "finishedAt": "2026-01-31T10:00:01.250Z"
         *         }
         *       ],
         *       "atMost": false
         *     }
         */
        CancelDeadResult: {
            /** @description Jobs that meet the filter, and those that it names */
            matched: number;
            /** @description Jobs that are cancelled now; 0 after a dry run */
            cancelled: number;
            skipped: {
                /** @enum {string} */
                reason: "not-dead" | "does-not-match" | "job-not-found" | "connection-deleted" | "connection-disabled" | "type-unknown" | "retry-failed";
                count: number;
            }[];
            /** @description The dead jobs by connection, type and problem; the largest group first */
            byGroup: {
                /** Format: uuid */
                connectionId: string | null;
                /** @description Null when the connection is deleted */
                connectionName: string | null;
                jobType: string;
                /** @description Code of the problem */
                code: string | null;
                count: number;
            }[];
            /** @description The 10 jobs that would come first */
            sample: components["schemas"]["Job"][];
            /** @description There are more than 10000 jobs, and only so many are counted and cancelled: the oldest */
            atMost: boolean;
        };
        /**
         * @example {
         *       "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *       "name": "myshop-price-poll",
         *       "every": "30m",
         *       "enabled": true,
         *       "job": "myshop.prices.poll",
         *       "nextAt": "2026-01-31T10:30:00.000Z",
         *       "lastJobId": "9f506172-8394-5ea5-8fb6-d027e138f249",
         *       "lastJobStatus": "succeeded"
         *     }
         */
        Schedule: {
            /** Format: uuid */
            connectionId: string;
            name: string;
            /** @description Length of a time slot, which gets one job: the value of the operator, else the default */
            every: string;
            enabled: boolean;
            /** @description Type of its jobs */
            job: string;
            /**
             * Format: date-time
             * @description Null while the schedule or its connection is switched off
             */
            nextAt: string | null;
            /** Format: uuid */
            lastJobId?: string;
            /**
             * @description Status of that job
             * @enum {string}
             */
            lastJobStatus?: "queued" | "running" | "waiting" | "succeeded" | "dead" | "cancelled";
        };
        /**
         * @example {
         *       "connection": {
         *         "id": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *         "name": "My shop",
         *         "platformType": "myshop",
         *         "adapterKey": "myshop.api.v1",
         *         "adapterVersion": "1.4.0",
         *         "status": "error",
         *         "statusReason": "the platform refuses the credentials"
         *       },
         *       "checkedAt": "2026-01-31T10:08:00.000Z",
         *       "verdict": "The platform refuses the credentials of 'My shop'.",
         *       "findings": [
         *         {
         *           "code": "connection-error",
         *           "severity": "blocking",
         *           "direction": "both",
         *           "title": "The platform refuses the credentials",
         *           "detail": "The platform answered 401 at 2026-01-31T10:00:01.250Z.",
         *           "since": "2026-01-31T10:00:01.250Z",
         *           "evidence": {
         *             "jobId": "9f506172-8394-5ea5-8fb6-d027e138f249"
         *           },
         *           "nextAction": "Give new ones: `linker connections credentials \"My shop\"`."
         *         }
         *       ],
         *       "adapter": {
         *         "state": "ready",
         *         "isolation": "worker",
         *         "message": null
         *       },
         *       "pauses": [],
         *       "upstream": null,
         *       "arriving": {
         *         "lastWebhookAt": "2026-01-31T10:00:00.000Z",
         *         "lastPollAt": null,
         *         "lastSuccess": null,
         *         "lastFailure": null
         *       },
         *       "leaving": {
         *         "lastSuccess": null,
         *         "lastFailure": {
         *           "jobId": "9f506172-8394-5ea5-8fb6-d027e138f249",
         *           "jobType": "myshop.price.syncByExternalId",
         *           "at": "2026-01-31T10:00:01.250Z",
         *           "problem": {
         *             "code": "LNK_ADAPTER_AUTHENTICATION",
         *             "message": "the platform answered 401"
         *           }
         *         }
         *       },
         *       "waiting": [
         *         {
         *           "reason": "connection-error",
         *           "detail": "its connection is in error",
         *           "jobType": "myshop.price.syncByExternalId",
         *           "code": "LNK_ADAPTER_AUTHENTICATION",
         *           "count": 3,
         *           "oldestAt": "2026-01-31T10:00:01.250Z",
         *           "sampleJobId": "9f506172-8394-5ea5-8fb6-d027e138f249"
         *         }
         *       ],
         *       "dead": [],
         *       "atMost": {
         *         "runs": false,
         *         "waiting": false,
         *         "dead": false
         *       },
         *       "cursors": [
         *         {
         *           "cursorKey": "orders",
         *           "updatedAt": "2026-01-31T09:58:00.000Z",
         *           "ageSeconds": 600
         *         }
         *       ],
         *       "webhooks": null,
         *       "schedules": []
         *     }
         */
        Diagnostics: {
            connection: {
                /** Format: uuid */
                id: string;
                name: string;
                platformType: string;
                adapterKey: string;
                /** @description Null: the newest */
                adapterVersion: string | null;
                /** @enum {string} */
                status: "active" | "disabled" | "error" | "deleted";
                statusReason: string | null;
            };
            /** Format: date-time */
            checkedAt: string;
            /** @description The first finding in one sentence, or that nothing is wrong */
            verdict: string;
            /** @description The gravest first */
            findings: {
                /** @description Such as `connection-paused`; docs/connections.md of @linker/runtime lists all */
                code: string;
                /**
                 * @description `blocking`: nothing arrives or leaves, or not all; `warning`: look at it; `info`: may explain a silence
                 * @enum {string}
                 */
                severity: "blocking" | "warning" | "info";
                /**
                 * @description `in`: what arrives from the platform; `out`: what leaves to it
                 * @enum {string}
                 */
                direction: "in" | "out" | "both";
                title: string;
                /** @description One sentence with the figures */
                detail: string;
                /** Format: date-time */
                since?: string;
                count?: number;
                /** @description Where to look it up */
                evidence?: {
                    /** Format: uuid */
                    jobId?: string;
                    /** Format: uuid */
                    deliveryId?: string;
                    /** Format: date-time */
                    at?: string;
                };
                /** @description What to do about it, with the command */
                nextAction: string;
            }[];
            adapter: {
                /** @description `ready`, `degraded`, `crashed`, or `missing`, in the process that answers */
                state: string;
                /** @enum {string|null} */
                isolation: "inline" | "worker" | null;
                message: string | null;
            };
            pauses: {
                /** @description Null: the whole connection */
                capability: string | null;
                reason: string | null;
                /**
                 * Format: date-time
                 * @description Null: until somebody ends the pause
                 */
                until: string | null;
                /** Format: date-time */
                since: string;
                by: {
                    /** @enum {string} */
                    kind: "token" | "adapter" | "hub";
                    /** @description The name of the token, `adapterKey@version`, or `hub` */
                    name: string;
                    /** Format: uuid */
                    tokenId: string | null;
                };
            }[];
            upstream: {
                budget: {
                    declared: {
                        ratePerSecond: number;
                        burst: number;
                    } | null;
                    own: {
                        ratePerSecond: number;
                        burst: number;
                        reason: string | null;
                        by: {
                            /** @enum {string} */
                            kind: "token" | "adapter" | "hub";
                            /** @description The name of the token, `adapterKey@version`, or `hub` */
                            name: string;
                            /** Format: uuid */
                            tokenId: string | null;
                        } | null;
                        /** Format: date-time */
                        since: string | null;
                    } | null;
                    learnt: {
                        ratePerSecond: number;
                        /** Format: date-time */
                        throttledAt: string;
                    } | null;
                    effective: {
                        ratePerSecond: number;
                        burst: number;
                    } | null;
                };
                /**
                 * Format: date-time
                 * @description The platform rests until then
                 */
                throttledUntil: string | null;
                rest: {
                    /** Format: date-time */
                    since: string;
                    /** @description The answer that asked for it, or why the platform is away */
                    reason: string;
                    /** @description It is off for a while, as for maintenance; else it asked to slow down */
                    isAway: boolean;
                } | null;
                breaker: {
                    /**
                     * @description `probing`: one call finds out whether the platform works again
                     * @enum {string}
                     */
                    state: "closed" | "open" | "probing";
                    /** Format: date-time */
                    openedAt: string | null;
                    /**
                     * Format: date-time
                     * @description When the next call may probe
                     */
                    openUntil: string | null;
                    /** @description How often it opened without closing in between */
                    openings: number;
                    /** @description The last failure that opened it */
                    failure: string | null;
                };
                /** @description The areas of the platform that are slowed down or rest by themselves, or fail */
                areas: {
                    name: string;
                    learnt: {
                        ratePerSecond: number;
                        /** Format: date-time */
                        throttledAt: string;
                    } | null;
                    /**
                     * Format: date-time
                     * @description The platform rests until then
                     */
                    throttledUntil: string | null;
                    rest: {
                        /** Format: date-time */
                        since: string;
                        /** @description The answer that asked for it, or why the platform is away */
                        reason: string;
                        /** @description It is off for a while, as for maintenance; else it asked to slow down */
                        isAway: boolean;
                    } | null;
                    breaker: {
                        /**
                         * @description `probing`: one call finds out whether the platform works again
                         * @enum {string}
                         */
                        state: "closed" | "open" | "probing";
                        /** Format: date-time */
                        openedAt: string | null;
                        /**
                         * Format: date-time
                         * @description When the next call may probe
                         */
                        openUntil: string | null;
                        /** @description How often it opened without closing in between */
                        openings: number;
                        /** @description The last failure that opened it */
                        failure: string | null;
                    };
                }[];
            } | null;
            arriving: {
                /** Format: date-time */
                lastWebhookAt: string | null;
                /**
                 * Format: date-time
                 * @description When the last reading by a schedule ended
                 */
                lastPollAt: string | null;
                lastSuccess: {
                    /** Format: uuid */
                    jobId: string;
                    jobType: string;
                    /** Format: date-time */
                    at: string;
                    problem: {
                        code: string;
                        message: string;
                    } | null;
                } | null;
                lastFailure: {
                    /** Format: uuid */
                    jobId: string;
                    jobType: string;
                    /** Format: date-time */
                    at: string;
                    problem: {
                        code: string;
                        message: string;
                    } | null;
                } | null;
            };
            leaving: {
                lastSuccess: {
                    /** Format: uuid */
                    jobId: string;
                    jobType: string;
                    /** Format: date-time */
                    at: string;
                    problem: {
                        code: string;
                        message: string;
                    } | null;
                } | null;
                lastFailure: {
                    /** Format: uuid */
                    jobId: string;
                    jobType: string;
                    /** Format: date-time */
                    at: string;
                    problem: {
                        code: string;
                        message: string;
                    } | null;
                } | null;
            };
            /** @description Jobs that do not run yet, the largest group first */
            waiting: {
                /** @enum {string} */
                reason: "connection-disabled" | "connection-error" | "connection-moving" | "connection-paused" | "capability-paused" | "connection-held" | "adapter" | "rate-limit" | "unavailable" | "budget" | "circuit-breaker" | "retry" | "delay" | "object" | "turn";
                /** @description For people */
                detail: string;
                jobType: string;
                /** @description Code of the problem for which they were put back */
                code: string | null;
                count: number;
                /**
                 * Format: date-time
                 * @description When the oldest was made
                 */
                oldestAt: string;
                /**
                 * Format: date-time
                 * @description When the first may go on; absent when that is not known
                 */
                until?: string;
                /**
                 * Format: uuid
                 * @description The oldest
                 */
                sampleJobId: string;
            }[];
            /** @description Dead jobs that were made in the last 7 days, the largest group first */
            dead: {
                /** Format: uuid */
                connectionId: string | null;
                jobType: string;
                /** @description Code of the problem; null when the jobs have none */
                code: string | null;
                count: number;
                /** @description When the first of them died, or was made when they wait */
                firstAt: string;
                /** @description When the last of them died, or was made when they wait */
                lastAt: string;
                /**
                 * Format: uuid
                 * @description The last of them
                 */
                sampleJobId: string;
            }[];
            atMost: {
                /** @description Older runs may exist than the 10 000 at which it looked */
                runs: boolean;
                /** @description More jobs wait than the 10 000 of each lane that are counted */
                waiting: boolean;
                /** @description More jobs are dead than the 10 000 that are counted */
                dead: boolean;
            };
            cursors: {
                cursorKey: string;
                /** Format: date-time */
                updatedAt: string;
                ageSeconds: number;
            }[];
            webhooks: {
                /** @description Whether the environment holds a secret or the last install succeeded */
                webhooksConfigured: boolean;
                /** Format: date-time */
                lastDeliveryAt: string | null;
                /** @description Event type of the last delivery */
                lastDeliveryEvent: string | null;
                /** @description `ignored`, or the status of its job; `accepted` when there is no such job yet or any more */
                lastDeliveryResult: string | null;
                /** @description Age of the secret that the platform uses; null when no install made that secret */
                secretAgeSeconds: number | null;
                /**
                 * Format: date-time
                 * @description When the hub last sent a test event to its own address, with the secret of the last install that succeeded
                 */
                testPingAt: string | null;
                /** @description Why the test event did not arrive; null when it arrived, or none was sent */
                testPingProblem: string | null;
                /** @description Why webhooks may not arrive, as the adapter said at the end of the last install that succeeded */
                installWarning: string | null;
                /**
                 * Format: date-time
                 * @description When that install ended; a webhook that came later shows that the platform reaches the hub
                 */
                installWarningAt: string | null;
                /** @description The address that an install gives to the platform; null: `callbackBaseUrl` is missing or wrong */
                callbackUrl: string | null;
                refusals: {
                    /** @description Code of the problem that the senders got */
                    code: string;
                    /** @description Refused deliveries since `firstAt` */
                    count: number;
                    /** Format: date-time */
                    firstAt: string;
                    /** Format: date-time */
                    lastAt: string;
                    /** @description Explanation in the last answer; null when it could repeat what the sender sent */
                    lastDetail: string | null;
                    /** @description What to do about it */
                    remedy: string;
                }[];
                /** @description Accepted in the last 7 days, but the hub knows no job for this type */
                unknownEvents: {
                    eventType: string;
                    count: number;
                    /** Format: date-time */
                    lastAt: string;
                    /** Format: uuid */
                    lastDeliveryId: string;
                }[];
            } | null;
            schedules: {
                name: string;
                /** @description Length of a time slot, which gets one job: the value of the operator, else the default */
                every: string;
                enabled: boolean;
                /** @description Type of its jobs */
                job: string;
                /**
                 * Format: date-time
                 * @description Null while the schedule or its connection is switched off
                 */
                nextAt: string | null;
                /** Format: uuid */
                lastJobId?: string;
                /**
                 * @description Status of that job
                 * @enum {string}
                 */
                lastJobStatus?: "queued" | "running" | "waiting" | "succeeded" | "dead" | "cancelled";
            }[];
        };
        /**
         * @description Columns with one value for each slot
         * @example {
         *       "step": 3600,
         *       "times": [
         *         1769850000,
         *         1769853600
         *       ],
         *       "series": {
         *         "webhooksAccepted": [
         *           120,
         *           96
         *         ],
         *         "webhooksRepeated": [
         *           3,
         *           0
         *         ],
         *         "webhooksRefused": [
         *           0,
         *           2
         *         ],
         *         "jobsSucceeded": [
         *           118,
         *           95
         *         ],
         *         "jobsPutBack": [
         *           1,
         *           0
         *         ],
         *         "jobsDead": [
         *           0,
         *           1
         *         ],
         *         "jobsCancelled": [
         *           0,
         *           0
         *         ],
         *         "upstream2xx": [
         *           240,
         *           190
         *         ],
         *         "upstream3xx": [
         *           0,
         *           0
         *         ],
         *         "upstream4xx": [
         *           0,
         *           1
         *         ],
         *         "upstream429": [
         *           0,
         *           0
         *         ],
         *         "upstream5xx": [
         *           1,
         *           0
         *         ],
         *         "upstreamNone": [
         *           0,
         *           0
         *         ],
         *         "stockWrites": [
         *           80,
         *           61
         *         ],
         *         "upstreamP50": [
         *           45,
         *           45
         *         ],
         *         "upstreamP95": [
         *           128,
         *           181
         *         ],
         *         "upstreamP99": [
         *           256,
         *           362
         *         ],
         *         "writtenP50": [
         *           181,
         *           181
         *         ],
         *         "writtenP95": [
         *           512,
         *           724
         *         ],
         *         "writtenP99": [
         *           1024,
         *           1448
         *         ],
         *         "queued": [
         *           2,
         *           0
         *         ],
         *         "waiting": [
         *           0,
         *           0
         *         ],
         *         "running": [
         *           4,
         *           3
         *         ],
         *         "oldestSeconds": [
         *           0.4,
         *           null
         *         ],
         *         "drift": [
         *           null,
         *           null
         *         ]
         *       },
         *       "refused": {
         *         "LNK_SIGNATURE_MISMATCH": [
         *           0,
         *           2
         *         ]
         *       }
         *     }
         */
        Figures: {
            /** @description Seconds of a slot */
            step: number;
            /** @description The beginnings of the slots, in seconds since 1970 */
            times: number[];
            series: {
                /** @description Deliveries that were accepted for the first time */
                webhooksAccepted: number[];
                /** @description Deliveries of events that the hub had already */
                webhooksRepeated: number[];
                /** @description Deliveries that were refused; see `refused` */
                webhooksRefused: number[];
                /** @description Jobs that ended well */
                jobsSucceeded: number[];
                /** @description Runs after which the job waits for another run */
                jobsPutBack: number[];
                /** @description Jobs that were given up */
                jobsDead: number[];
                /** @description Jobs that somebody cancelled while they ran */
                jobsCancelled: number[];
                /** @description Requests to platforms, attempt by attempt, that were answered with a status below 300 */
                upstream2xx: number[];
                /** @description Those answered with 300 to 399 */
                upstream3xx: number[];
                /** @description Those answered with 400 to 499, without 429 */
                upstream4xx: number[];
                /** @description Those answered with 429: too many requests */
                upstream429: number[];
                /** @description Those answered with 500 to 599 */
                upstream5xx: number[];
                /** @description Those without an answer */
                upstreamNone: number[];
                /** @description Quantities of offers that were written at marketplaces */
                stockWrites: number[];
                /** @description Half of the requests to platforms took no longer, in milliseconds; null: there was none */
                upstreamP50: (number | null)[];
                /** @description 95 of 100 requests to platforms took no longer, in milliseconds; null: there was none */
                upstreamP95: (number | null)[];
                /** @description 99 of 100 requests to platforms took no longer, in milliseconds; null: there was none */
                upstreamP99: (number | null)[];
                /** @description Half of the quantities were written at the marketplace this long after the webhook, in milliseconds; null: there was none */
                writtenP50: (number | null)[];
                /** @description The same for 95 of 100, in milliseconds; null: there was none */
                writtenP95: (number | null)[];
                /** @description The same for 99 of 100, in milliseconds; null: there was none */
                writtenP99: (number | null)[];
                /** @description Jobs that were due, once a minute; the most in the slot */
                queued: (number | null)[];
                /** @description Jobs that waited for a later time or for their connection */
                waiting: (number | null)[];
                /** @description Jobs that ran */
                running: (number | null)[];
                /** @description Time since the oldest queued job became due, in seconds */
                oldestSeconds: (number | null)[];
                /** @description Offers that were not written with the quantity that they should show, counted every five minutes */
                drift: (number | null)[];
            };
            /** @description Refused deliveries by the code of the refusal */
            refused: {
                [key: string]: number[];
            };
        };
        /**
         * @example {
         *       "kind": "order",
         *       "id": "8e4f5061-7283-5d94-9ea5-cf16d027e138",
         *       "title": "A-10001",
         *       "subtitle": "created · My marketplace",
         *       "connectionId": "0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41",
         *       "matchedBy": "externalId"
         *     }
         */
        SearchResult: {
            kind: "connection" | "offer" | "unlinked-offer" | "variant" | "order" | "job" | "delivery";
            /** Format: uuid */
            id: string;
            /** @description Its name, or else its id */
            title: string;
            /** @description What tells it from others with the same title; may be empty */
            subtitle: string;
            /** Format: uuid */
            connectionId?: string;
            matchedBy: "id" | "externalId" | "reference" | "sku" | "ean" | "requestId" | "eventId" | "name";
        };
        /**
         * @example {
         *       "key": "connection-error:0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *       "kind": "connection-error",
         *       "severity": "error",
         *       "since": "2026-01-31T10:00:01.250Z",
         *       "count": 1,
         *       "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *       "connectionName": "My shop",
         *       "title": "'My shop' is in error",
         *       "detail": "The platform refuses the credentials. Replace them: `linker connections credentials \"My shop\"`.",
         *       "target": "/connections/0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30/diagnostics"
         *     }
         */
        AttentionItem: {
            /** @description Names the same thing in every answer, as long as it lasts */
            key: string;
            /** @enum {string} */
            kind: "no-worker" | "mixed-streams" | "disk-space" | "dead-messages" | "credentials-unreadable" | "connection-error" | "adapter-away" | "account-shared" | "breaker-open" | "platform-resting" | "pause-open" | "dead-jobs" | "waiting-redrive" | "late-jobs" | "held-sweep" | "stock-jumps" | "oversell" | "refused-quantities" | "lost-offers" | "shared-references" | "failed-orders" | "unmapped-orders" | "stuck-orders" | "troubled-orders" | "late-shipments" | "untold-shipments" | "unread-shops" | "refused-webhooks" | "unreached-webhooks" | "silent-webhooks" | "ignored-events" | "ending-token" | "ending-credentials" | "schedules-off" | "unsafe-setting" | "alert-channel" | "no-alert-channel" | "unchecked";
            /**
             * @description `error`: something does not work; `warning`: look at it soon; `info`: good to know
             * @enum {string}
             */
            severity: "error" | "warning" | "info";
            /**
             * Format: date-time
             * @description Null: the hub does not know
             */
            since: string | null;
            /** @description How many there are of it; the hub stops counting at a limit */
            count: number;
            /** Format: uuid */
            connectionId?: string;
            connectionName?: string;
            title: string;
            /** @description The cause and the next action */
            detail: string;
            /** @description The code of the problem */
            code?: string;
            /** @description The path of the API at which to look */
            target: string;
        };
        /**
         * @example {
         *       "channels": [
         *         {
         *           "channel": "webhook",
         *           "failures": 0,
         *           "failingSince": null,
         *           "problem": null,
         *           "lastSentAt": "2026-01-31T10:01:00.000Z"
         *         }
         *       ],
         *       "open": [
         *         {
         *           "key": "connection-error:0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *           "kind": "connection-error",
         *           "severity": "error",
         *           "since": "2026-01-31T10:00:01.250Z",
         *           "count": 1,
         *           "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
         *           "connectionName": "My shop",
         *           "title": "'My shop' is in error",
         *           "detail": "The platform refuses the credentials. Replace them: `linker connections credentials \"My shop\"`.",
         *           "target": "/connections/0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30/diagnostics",
         *           "told": [
         *             {
         *               "channel": "webhook",
         *               "at": "2026-01-31T10:01:00.000Z"
         *             }
         *           ],
         *           "quiet": []
         *         }
         *       ]
         *     }
         */
        Alerts: {
            /** @description The channels that the settings name. Empty: nobody is told */
            channels: {
                /** @enum {string} */
                channel: "webhook" | "mail";
                /** @description Messages that failed one after the other */
                failures: number;
                /** Format: date-time */
                failingSince: string | null;
                /** @description Why the last message failed */
                problem: string | null;
                /** Format: date-time */
                lastSentAt: string | null;
            }[];
            /** @description What needs a person now, the gravest first */
            open: {
                /** @description Names the same thing in every answer, as long as it lasts */
                key: string;
                /** @enum {string} */
                kind: "no-worker" | "mixed-streams" | "disk-space" | "dead-messages" | "credentials-unreadable" | "connection-error" | "adapter-away" | "account-shared" | "breaker-open" | "platform-resting" | "pause-open" | "dead-jobs" | "waiting-redrive" | "late-jobs" | "held-sweep" | "stock-jumps" | "oversell" | "refused-quantities" | "lost-offers" | "shared-references" | "failed-orders" | "unmapped-orders" | "stuck-orders" | "troubled-orders" | "late-shipments" | "untold-shipments" | "unread-shops" | "refused-webhooks" | "unreached-webhooks" | "silent-webhooks" | "ignored-events" | "ending-token" | "ending-credentials" | "schedules-off" | "unsafe-setting" | "alert-channel" | "no-alert-channel" | "unchecked";
                /**
                 * @description `error`: something does not work; `warning`: look at it soon; `info`: good to know
                 * @enum {string}
                 */
                severity: "error" | "warning" | "info";
                /**
                 * Format: date-time
                 * @description Null: the hub does not know
                 */
                since: string | null;
                /** @description How many there are of it; the hub stops counting at a limit */
                count: number;
                /** Format: uuid */
                connectionId?: string;
                connectionName?: string;
                title: string;
                /** @description The cause and the next action */
                detail: string;
                /** @description The code of the problem */
                code?: string;
                /** @description The path of the API at which to look */
                target: string;
                /** @description The channels on which it was told, with the time of the last message */
                told: {
                    /** @enum {string} */
                    channel: "webhook" | "mail";
                    /** Format: date-time */
                    at: string;
                }[];
                /** @description The channels that told its end a short time ago and tell it again only after this time */
                quiet: {
                    /** @enum {string} */
                    channel: "webhook" | "mail";
                    /** Format: date-time */
                    until: string;
                }[];
            }[];
        };
        /**
         * @example {
         *       "channel": "webhook",
         *       "success": true,
         *       "latencyMs": 84,
         *       "message": "the receiver answered 200"
         *     }
         */
        AlertTest: {
            /** @enum {string} */
            channel: "webhook" | "mail";
            success: boolean;
            latencyMs: number;
            /** @description Why the test did not arrive */
            message: string;
        };
    };
    responses: {
        /**
         * @description `LNK_ACCOUNT_CONNECTED`: Connection '…' (…) opens this account already. Use that connection or delete it. With `allowSameAccount: true` (`--allow-same-account`) the new one is made beside it and takes no orders
         *
         *     `LNK_ACCOUNT_DIFFERS`: These settings open …, but connection '…' belongs to …, and so do its orders and links. Make a connection of its own for the other account
         */
        "LNK_ACCOUNT_CONNECTED.LNK_ACCOUNT_DIFFERS": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_ACCOUNT_CONNECTED`: Connection '…' (…) opens this account already. Use that connection or delete it. With `allowSameAccount: true` (`--allow-same-account`) the new one is made beside it and takes no orders
         *
         *     `LNK_IDEMPOTENCY_KEY_RUNNING`: The first request with this Idempotency-Key is still running. Repeat the request later
         *
         *     `LNK_TAKE_OVER_REFUSED`
         */
        "LNK_ACCOUNT_CONNECTED.LNK_IDEMPOTENCY_KEY_RUNNING.LNK_TAKE_OVER_REFUSED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_ADAPTER_AUTHENTICATION`
         *
         *     `LNK_ADAPTER_CRASHED`: Adapter '…' crashed during this call: …
         *
         *     `LNK_ADAPTER_OUTCOME_UNKNOWN`
         */
        "LNK_ADAPTER_AUTHENTICATION.LNK_ADAPTER_CRASHED.LNK_ADAPTER_OUTCOME_UNKNOWN": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_ADAPTER_CHECK_STOPPED`: The hub stopped checking the input against a schema of adapter '…' after … ms
         *
         *     `LNK_INTERNAL`: The hub failed. Its log shows the reason under this request id
         */
        "LNK_ADAPTER_CHECK_STOPPED.LNK_INTERNAL": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_ADAPTER_CONFIGURATION`
         *
         *     `LNK_ADAPTER_FAILED`: Adapter '…' failed. The log of the hub shows the reason under this request id
         *
         *     `LNK_ADAPTER_MISSING`: No adapter '…'. Registered: …
         *
         *     `LNK_CAPABILITY_NOT_SUPPORTED`: Adapter '…' does not support capability '…'
         *
         *     `LNK_CONFIG_INVALID`: Invalid configuration: …
         *
         *     `LNK_CREDENTIAL_STORE_NOT_AVAILABLE`: Credential store not available
         *
         *     `LNK_INTERNAL`: The hub failed. Its log shows the reason under this request id
         */
        "LNK_ADAPTER_CONFIGURATION.LNK_ADAPTER_FAILED.LNK_ADAPTER_MISSING.LNK_CAPABILITY_NOT_SUPPORTED.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_ADAPTER_CONFIGURATION`
         *
         *     `LNK_ADAPTER_FAILED`: Adapter '…' failed. The log of the hub shows the reason under this request id
         *
         *     `LNK_ADAPTER_MISSING`: No adapter '…'. Registered: …
         *
         *     `LNK_CONFIG_INVALID`: Invalid configuration: …
         *
         *     `LNK_CREDENTIAL_STORE_NOT_AVAILABLE`: Credential store not available
         *
         *     `LNK_INTERNAL`: The hub failed. Its log shows the reason under this request id
         */
        "LNK_ADAPTER_CONFIGURATION.LNK_ADAPTER_FAILED.LNK_ADAPTER_MISSING.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_ADAPTER_MISSING`: No adapter '…'. Registered: …
         *
         *     `LNK_CAPABILITY_NOT_SUPPORTED`: Adapter '…' does not support capability '…'
         *
         *     `LNK_CONFIG_INVALID`: Invalid configuration: …
         *
         *     `LNK_CREDENTIAL_STORE_NOT_AVAILABLE`: Credential store not available
         *
         *     `LNK_INTERNAL`: The hub failed. Its log shows the reason under this request id
         */
        "LNK_ADAPTER_MISSING.LNK_CAPABILITY_NOT_SUPPORTED.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_ADAPTER_MISSING`: No adapter '…'. Registered: …
         *
         *     `LNK_CONFIG_INVALID`: Invalid configuration: …
         *
         *     `LNK_CREDENTIAL_STORE_NOT_AVAILABLE`: Credential store not available
         *
         *     `LNK_INTERNAL`: The hub failed. Its log shows the reason under this request id
         */
        "LNK_ADAPTER_MISSING.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_ADAPTER_MISSING`: No adapter '…'. Registered: …
         *
         *     `LNK_CREDENTIAL_STORE_NOT_AVAILABLE`: Credential store not available
         *
         *     `LNK_INTERNAL`: The hub failed. Its log shows the reason under this request id
         */
        "LNK_ADAPTER_MISSING.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_ADAPTER_MISSING`: No adapter '…'. Registered: …
         *
         *     `LNK_INTERNAL`: The hub failed. Its log shows the reason under this request id
         */
        "LNK_ADAPTER_MISSING.LNK_INTERNAL": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_ADAPTER_NOT_FOUND`
         *
         *     `LNK_CONNECTION_NOT_FOUND`: Connection '…' not found
         */
        "LNK_ADAPTER_NOT_FOUND.LNK_CONNECTION_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_ADAPTER_NOT_FOUND`
         *
         *     `LNK_CONNECTION_NOT_FOUND`: Connection '…' not found
         *
         *     `LNK_LABEL_NOT_FOUND`: Order '…' has no label because its shipment is …
         *
         *     `LNK_ORDER_NOT_FOUND`: Order '…' not found
         *
         *     `LNK_SHIPMENT_NOT_FOUND`: Order '…' has no shipment
         */
        "LNK_ADAPTER_NOT_FOUND.LNK_CONNECTION_NOT_FOUND.LNK_LABEL_NOT_FOUND.LNK_ORDER_NOT_FOUND.LNK_SHIPMENT_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_ADAPTER_RATE_LIMITED`
         *
         *     `LNK_ADAPTER_TRANSIENT`
         *
         *     `LNK_ADAPTER_UNAVAILABLE`: Adapter '…' is not available: …
         *
         *     `LNK_ADAPTER_WRITE_UNDER_WAY`
         *
         *     `LNK_CAPABILITY_UNAVAILABLE`
         *
         *     `LNK_DATABASE_UNAVAILABLE`: The database does not answer. Try again
         *
         *     `LNK_DISK_FULL`: The disk is full. The hub goes on by itself when there is room. Try again later
         *
         *     `LNK_PLATFORM_UNAVAILABLE`
         */
        "LNK_ADAPTER_RATE_LIMITED.LNK_ADAPTER_TRANSIENT.LNK_ADAPTER_UNAVAILABLE.LNK_ADAPTER_WRITE_UNDER_WAY.LNK_CAPABILITY_UNAVAILABLE.LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL.LNK_PLATFORM_UNAVAILABLE": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_ADAPTER_REJECTED`
         *
         *     `LNK_CONNECTION_DISABLED`: Connection '…' is disabled
         *
         *     `LNK_CONNECTION_INVALID`
         *
         *     `LNK_CREDENTIALS_NOT_FOUND`: Credentials '…' not found
         *
         *     `LNK_REQUEST_INVALID`
         *
         *     `LNK_WEBHOOK_INSTALL_UNSUPPORTED`: Adapter '…' cannot install webhooks. Choose a secret, enter it and the address … at the platform, and set the environment variable … of the hub to the same secret
         */
        "LNK_ADAPTER_REJECTED.LNK_CONNECTION_DISABLED.LNK_CONNECTION_INVALID.LNK_CREDENTIALS_NOT_FOUND.LNK_REQUEST_INVALID.LNK_WEBHOOK_INSTALL_UNSUPPORTED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_ADAPTER_REJECTED`
         *
         *     `LNK_CONNECTION_DISABLED`: Connection '…' is disabled
         *
         *     `LNK_CREDENTIALS_NOT_FOUND`: Credentials '…' not found
         *
         *     `LNK_REQUEST_INVALID`
         */
        "LNK_ADAPTER_REJECTED.LNK_CONNECTION_DISABLED.LNK_CREDENTIALS_NOT_FOUND.LNK_REQUEST_INVALID": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_ADAPTER_TIMEOUT`: Adapter '…' did not answer within … ms */
        LNK_ADAPTER_TIMEOUT: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_ALERTS_NOT_CONFIGURED`: No channel for alerts is configured: set LINKER_ALERT_WEBHOOK_URL or LINKER_ALERT_SMTP_URL and restart the hub */
        LNK_ALERTS_NOT_CONFIGURED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_BACKUP_NO_ROOM`: The hub writes a backup to … before it sends it. That disk has … bytes left, and the backup may need … */
        LNK_BACKUP_NO_ROOM: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_BACKUP_RUNNING`: This process of the hub is taking another backup. Try again when it has ended */
        LNK_BACKUP_RUNNING: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_BATCH_NOT_FOUND`: Batch '…' not found */
        LNK_BATCH_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_BATCH_NOT_FOUND`: Batch '…' not found
         *
         *     `LNK_CONNECTION_NOT_FOUND`: Connection '…' not found
         */
        "LNK_BATCH_NOT_FOUND.LNK_CONNECTION_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CAPABILITY_NOT_SUPPORTED`: Adapter '…' does not support capability '…'
         *
         *     `LNK_INTERNAL`: The hub failed. Its log shows the reason under this request id
         */
        "LNK_CAPABILITY_NOT_SUPPORTED.LNK_INTERNAL": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CAPABILITY_PAUSED`: Capability '…' of connection '…' is paused …
         *
         *     `LNK_CONNECTION_MOVING`: Connection '…' is being moved to another adapter version or deleted, or one of its cursors is being changed. Repeat the request in a moment
         *
         *     `LNK_CONNECTION_PAUSED`: Connection '…' is paused …
         */
        "LNK_CAPABILITY_PAUSED.LNK_CONNECTION_MOVING.LNK_CONNECTION_PAUSED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CAPABILITY_PAUSED`: Capability '…' of connection '…' is paused …
         *
         *     `LNK_CONNECTION_MOVING`: Connection '…' is being moved to another adapter version or deleted, or one of its cursors is being changed. Repeat the request in a moment
         *
         *     `LNK_CONNECTION_PAUSED`: Connection '…' is paused …
         *
         *     `LNK_IDEMPOTENCY_KEY_RUNNING`: The first request with this Idempotency-Key is still running. Repeat the request later
         */
        "LNK_CAPABILITY_PAUSED.LNK_CONNECTION_MOVING.LNK_CONNECTION_PAUSED.LNK_IDEMPOTENCY_KEY_RUNNING": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_BUSY`: Jobs of connection '…' did not end within … s: …. The connection was not changed
         *
         *     `LNK_CONNECTION_MOVING`: Connection '…' is being moved to another adapter version or deleted, or one of its cursors is being changed. Repeat the request in a moment
         */
        "LNK_CONNECTION_BUSY.LNK_CONNECTION_MOVING": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_BUSY`: Jobs of connection '…' did not end within … s: …. The connection was not changed
         *
         *     `LNK_CONNECTION_MOVING`: Connection '…' is being moved to another adapter version or deleted, or one of its cursors is being changed. Repeat the request in a moment
         *
         *     `LNK_DELETION_REFUSED`: The connection was not deleted: …
         */
        "LNK_CONNECTION_BUSY.LNK_CONNECTION_MOVING.LNK_DELETION_REFUSED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_BUSY`: Jobs of connection '…' did not end within … s: …. The connection was not changed
         *
         *     `LNK_CONNECTION_MOVING`: Connection '…' is being moved to another adapter version or deleted, or one of its cursors is being changed. Repeat the request in a moment
         *
         *     `LNK_MOVE_REFUSED`
         */
        "LNK_CONNECTION_BUSY.LNK_CONNECTION_MOVING.LNK_MOVE_REFUSED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_BUSY`: Jobs of connection '…' did not end within … s: …. The connection was not changed
         *
         *     `LNK_CONNECTION_MOVING`: Connection '…' is being moved to another adapter version or deleted, or one of its cursors is being changed. Repeat the request in a moment
         *
         *     `LNK_MOVE_REFUSED`
         *
         *     `LNK_MOVE_UNCONFIRMED`: This move needs `confirm: true`: …
         */
        "LNK_CONNECTION_BUSY.LNK_CONNECTION_MOVING.LNK_MOVE_REFUSED.LNK_MOVE_UNCONFIRMED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_BUSY`: Jobs of connection '…' did not end within … s: …. The connection was not changed
         *
         *     `LNK_CONNECTION_MOVING`: Connection '…' is being moved to another adapter version or deleted, or one of its cursors is being changed. Repeat the request in a moment
         *
         *     `LNK_TAKE_OVER_REFUSED`
         */
        "LNK_CONNECTION_BUSY.LNK_CONNECTION_MOVING.LNK_TAKE_OVER_REFUSED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_CREATION_FAILED`: Connection creation failed
         *
         *     `LNK_CREDENTIAL_STORE_NOT_AVAILABLE`: Credential store not available
         *
         *     `LNK_INTERNAL`: The hub failed. Its log shows the reason under this request id
         */
        "LNK_CONNECTION_CREATION_FAILED.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_DISABLED`: Connection '…' is disabled
         *
         *     `LNK_CONNECTION_INVALID`
         *
         *     `LNK_REQUEST_INVALID`
         */
        "LNK_CONNECTION_DISABLED.LNK_CONNECTION_INVALID.LNK_REQUEST_INVALID": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_DISABLED`: Connection '…' is disabled
         *
         *     `LNK_CREDENTIALS_NOT_FOUND`: Credentials '…' not found
         *
         *     `LNK_OFFER_INVALID`
         *
         *     `LNK_REQUEST_INVALID`
         */
        "LNK_CONNECTION_DISABLED.LNK_CREDENTIALS_NOT_FOUND.LNK_OFFER_INVALID.LNK_REQUEST_INVALID": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_DISABLED`: Connection '…' is disabled
         *
         *     `LNK_CREDENTIALS_NOT_FOUND`: Credentials '…' not found
         *
         *     `LNK_REQUEST_INVALID`
         */
        "LNK_CONNECTION_DISABLED.LNK_CREDENTIALS_NOT_FOUND.LNK_REQUEST_INVALID": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_DISABLED`: Connection '…' is disabled
         *
         *     `LNK_REQUEST_INVALID`
         */
        "LNK_CONNECTION_DISABLED.LNK_REQUEST_INVALID": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_INVALID`
         *
         *     `LNK_CREDENTIALS_NOT_FOUND`: Credentials '…' not found
         *
         *     `LNK_PLATFORM_UNKNOWN`: No loaded adapter serves platform '…'. Available platforms: …
         *
         *     `LNK_REQUEST_INVALID`
         */
        "LNK_CONNECTION_INVALID.LNK_CREDENTIALS_NOT_FOUND.LNK_PLATFORM_UNKNOWN.LNK_REQUEST_INVALID": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_INVALID`
         *
         *     `LNK_REQUEST_INVALID`
         */
        "LNK_CONNECTION_INVALID.LNK_REQUEST_INVALID": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_CONNECTION_MOVING`: Connection '…' is being moved to another adapter version or deleted, or one of its cursors is being changed. Repeat the request in a moment */
        LNK_CONNECTION_MOVING: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_MOVING`: Connection '…' is being moved to another adapter version or deleted, or one of its cursors is being changed. Repeat the request in a moment
         *
         *     `LNK_CONNECTION_PAUSED`: Connection '…' is paused …
         *
         *     `LNK_WEBHOOK_INSTALL_RUNNING`: Another request is installing the webhooks of connection '…'. Repeat this request in a minute
         */
        "LNK_CONNECTION_MOVING.LNK_CONNECTION_PAUSED.LNK_WEBHOOK_INSTALL_RUNNING": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_MOVING`: Connection '…' is being moved to another adapter version or deleted, or one of its cursors is being changed. Repeat the request in a moment
         *
         *     `LNK_IDEMPOTENCY_KEY_RUNNING`: The first request with this Idempotency-Key is still running. Repeat the request later
         */
        "LNK_CONNECTION_MOVING.LNK_IDEMPOTENCY_KEY_RUNNING": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_MOVING`: Connection '…' is being moved to another adapter version or deleted, or one of its cursors is being changed. Repeat the request in a moment
         *
         *     `LNK_IDEMPOTENCY_KEY_RUNNING`: The first request with this Idempotency-Key is still running. Repeat the request later
         *
         *     `LNK_OFFER_ALREADY_LINKED`: Offer '…' is already linked to variant '…'
         */
        "LNK_CONNECTION_MOVING.LNK_IDEMPOTENCY_KEY_RUNNING.LNK_OFFER_ALREADY_LINKED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_MOVING`: Connection '…' is being moved to another adapter version or deleted, or one of its cursors is being changed. Repeat the request in a moment
         *
         *     `LNK_IDEMPOTENCY_KEY_RUNNING`: The first request with this Idempotency-Key is still running. Repeat the request later
         *
         *     `LNK_OFFER_ALREADY_LISTED`: Variant '…' is listed on this connection as offer '…'
         */
        "LNK_CONNECTION_MOVING.LNK_IDEMPOTENCY_KEY_RUNNING.LNK_OFFER_ALREADY_LISTED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_MOVING`: Connection '…' is being moved to another adapter version or deleted, or one of its cursors is being changed. Repeat the request in a moment
         *
         *     `LNK_IDEMPOTENCY_KEY_RUNNING`: The first request with this Idempotency-Key is still running. Repeat the request later
         *
         *     `LNK_PRICE_NOT_CONFIRMED`: The price of the offer changes from … to …; send `confirm: true` if that is right
         */
        "LNK_CONNECTION_MOVING.LNK_IDEMPOTENCY_KEY_RUNNING.LNK_PRICE_NOT_CONFIRMED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_CONNECTION_NOT_FOUND`: Connection '…' not found */
        LNK_CONNECTION_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_NOT_FOUND`: Connection '…' not found
         *
         *     `LNK_CURSOR_NOT_FOUND`: Connection '…' has no cursor '…'. It has: …
         */
        "LNK_CONNECTION_NOT_FOUND.LNK_CURSOR_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_NOT_FOUND`: Connection '…' not found
         *
         *     `LNK_DELIVERY_NOT_FOUND`: The log has no delivery '…'. It gets a delivery when its event has become a job or was ignored; refused ones are only counted by connection and code
         */
        "LNK_CONNECTION_NOT_FOUND.LNK_DELIVERY_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_NOT_FOUND`: Connection '…' not found
         *
         *     `LNK_JOB_NOT_FOUND`: Job '…' not found
         */
        "LNK_CONNECTION_NOT_FOUND.LNK_JOB_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_NOT_FOUND`: Connection '…' not found
         *
         *     `LNK_OFFER_NOT_FOUND`: Offer '…' not found
         */
        "LNK_CONNECTION_NOT_FOUND.LNK_OFFER_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_NOT_FOUND`: Connection '…' not found
         *
         *     `LNK_OFFER_NOT_SHOWN`: The marketplace does not show offer '…'. A new offer can take up to … minutes to appear
         *
         *     `LNK_VARIANT_NOT_FOUND`: Variant '…' not found
         */
        "LNK_CONNECTION_NOT_FOUND.LNK_OFFER_NOT_SHOWN.LNK_VARIANT_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_NOT_FOUND`: Connection '…' not found
         *
         *     `LNK_PRODUCT_NOT_FOUND`: Product '…' not found
         */
        "LNK_CONNECTION_NOT_FOUND.LNK_PRODUCT_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_NOT_FOUND`: Connection '…' not found
         *
         *     `LNK_PRODUCT_NOT_FOUND`: Product '…' not found
         *
         *     `LNK_VARIANT_NOT_FOUND`: Variant '…' not found
         */
        "LNK_CONNECTION_NOT_FOUND.LNK_PRODUCT_NOT_FOUND.LNK_VARIANT_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_NOT_FOUND`: Connection '…' not found
         *
         *     `LNK_SCHEDULE_NOT_FOUND`: Connection '…' has no schedule '…'. It has: …
         */
        "LNK_CONNECTION_NOT_FOUND.LNK_SCHEDULE_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CONNECTION_NOT_FOUND`: Connection '…' not found
         *
         *     `LNK_VARIANT_NOT_FOUND`: Variant '…' not found
         */
        "LNK_CONNECTION_NOT_FOUND.LNK_VARIANT_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_CREDENTIALS_KEY_MISSING`: LINKER_CREDENTIALS_KEY is not set in the process that answers: there is no key to seal with */
        LNK_CREDENTIALS_KEY_MISSING: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CREDENTIALS_NOT_FOUND`: Credentials '…' not found
         *
         *     `LNK_REQUEST_INVALID`
         */
        "LNK_CREDENTIALS_NOT_FOUND.LNK_REQUEST_INVALID": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CROSS_ORIGIN`: A page of another origin sent this request with the session of a person. Only pages of the hub may do so
         *
         *     `LNK_FORBIDDEN`: Token '…' has the scope '…'; this request needs '…'
         */
        "LNK_CROSS_ORIGIN.LNK_FORBIDDEN": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_CROSS_ORIGIN`: A page of another origin sent this request with the session of a person. Only pages of the hub may do so
         *
         *     `LNK_SESSION_INSECURE`: Sessions need https, because others could read the cookie. Set LINKER_PUBLIC_URL to the https address of the hub
         */
        "LNK_CROSS_ORIGIN.LNK_SESSION_INSECURE": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_DATABASE_UNAVAILABLE`: The database does not answer. Try again
         *
         *     `LNK_DISK_FULL`: The disk is full. The hub goes on by itself when there is room. Try again later
         */
        "LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_DATABASE_UNAVAILABLE`: The database does not answer. Try again
         *
         *     `LNK_DISK_FULL`: The disk is full. The hub goes on by itself when there is room. Try again later
         *
         *     `LNK_EVENT_STREAMS_FULL`: This process serves … streams of hints, and no more. Ask again later, or look without hints
         *
         *     `LNK_HUB_STOPPING`: The hub is stopping before the work is done. Repeat the request, with the same Idempotency-Key if it had one
         */
        "LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL.LNK_EVENT_STREAMS_FULL.LNK_HUB_STOPPING": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_DATABASE_UNAVAILABLE`: The database does not answer. Try again
         *
         *     `LNK_DISK_FULL`: The disk is full. The hub goes on by itself when there is room. Try again later
         *
         *     `LNK_HUB_STOPPING`: The hub is stopping before the work is done. Repeat the request, with the same Idempotency-Key if it had one
         */
        "LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL.LNK_HUB_STOPPING": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_DATABASE_UNAVAILABLE`: The database does not answer. Try again
         *
         *     `LNK_DISK_FULL`: The disk is full. The hub goes on by itself when there is room. Try again later
         *
         *     `LNK_INTAKE_FULL`: The hub receives more webhooks than it can store. This one was not stored. Send it again later
         *
         *     `LNK_WEBHOOK_NOT_READY`: The hub cannot check the webhooks of this connection yet. Send it again later
         *
         *     `LNK_WEBHOOK_PROOF_UNAVAILABLE`: The hub cannot check this delivery now. Send it again later
         */
        "LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL.LNK_INTAKE_FULL.LNK_WEBHOOK_NOT_READY.LNK_WEBHOOK_PROOF_UNAVAILABLE": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_DATABASE_UNAVAILABLE`: The database does not answer. Try again
         *
         *     `LNK_DISK_FULL`: The disk is full. The hub goes on by itself when there is room. Try again later
         *
         *     `LNK_WEBHOOK_NOT_READY`: The hub cannot check the webhooks of this connection yet. Send it again later
         *
         *     `LNK_WEBHOOK_PROOF_UNAVAILABLE`: The hub cannot check this delivery now. Send it again later
         */
        "LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL.LNK_WEBHOOK_NOT_READY.LNK_WEBHOOK_PROOF_UNAVAILABLE": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_DELIVERIES_TOO_MANY`
         *
         *     `LNK_IDEMPOTENCY_KEY_RUNNING`: The first request with this Idempotency-Key is still running. Repeat the request later
         */
        "LNK_DELIVERIES_TOO_MANY.LNK_IDEMPOTENCY_KEY_RUNNING": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_DELIVERY_EXPIRED`: Delivery '…' could be replayed until … */
        LNK_DELIVERY_EXPIRED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_DELIVERY_NOT_FOUND`: The log has no delivery '…'. It gets a delivery when its event has become a job or was ignored; refused ones are only counted by connection and code */
        LNK_DELIVERY_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_DELIVERY_REPLAY_LIMIT`: Delivery '…' was replayed … times already. Run its job type with POST /jobs instead
         *
         *     `LNK_IDEMPOTENCY_KEY_RUNNING`: The first request with this Idempotency-Key is still running. Repeat the request later
         */
        "LNK_DELIVERY_REPLAY_LIMIT.LNK_IDEMPOTENCY_KEY_RUNNING": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_FORBIDDEN`: Token '…' has the scope '…'; this request needs '…' */
        LNK_FORBIDDEN: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_IDEMPOTENCY_KEY_REUSED`: This Idempotency-Key was used for another request in the last 24 hours. Use a new key for each intent */
        LNK_IDEMPOTENCY_KEY_REUSED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_IDEMPOTENCY_KEY_RUNNING`: The first request with this Idempotency-Key is still running. Repeat the request later */
        LNK_IDEMPOTENCY_KEY_RUNNING: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_IDEMPOTENCY_KEY_RUNNING`: The first request with this Idempotency-Key is still running. Repeat the request later
         *
         *     `LNK_JOB_CANCELLED`: Job '…' is cancelled already
         *
         *     `LNK_JOB_SUCCEEDED`: Job '…' has succeeded
         */
        "LNK_IDEMPOTENCY_KEY_RUNNING.LNK_JOB_CANCELLED.LNK_JOB_SUCCEEDED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_IDEMPOTENCY_KEY_RUNNING`: The first request with this Idempotency-Key is still running. Repeat the request later
         *
         *     `LNK_JOB_QUEUED`: Job '…' is queued: it runs soon
         *
         *     `LNK_JOB_RUNNING`: Job '…' is running
         *
         *     `LNK_JOB_SUCCEEDED`: Job '…' has succeeded
         *
         *     `LNK_JOB_TYPE_UNKNOWN`: Job '…' cannot run: no adapter serves the type '…' for it
         *
         *     `LNK_JOB_WAITING`: Job '…' is waiting: it runs by itself later
         */
        "LNK_IDEMPOTENCY_KEY_RUNNING.LNK_JOB_QUEUED.LNK_JOB_RUNNING.LNK_JOB_SUCCEEDED.LNK_JOB_TYPE_UNKNOWN.LNK_JOB_WAITING": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_IDEMPOTENCY_KEY_RUNNING`: The first request with this Idempotency-Key is still running. Repeat the request later
         *
         *     `LNK_ORDER_STATE`
         */
        "LNK_IDEMPOTENCY_KEY_RUNNING.LNK_ORDER_STATE": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_IDEMPOTENCY_KEY_RUNNING`: The first request with this Idempotency-Key is still running. Repeat the request later
         *
         *     `LNK_REDRIVE_ENDED`: Redrive '…' is over already: it is …
         */
        "LNK_IDEMPOTENCY_KEY_RUNNING.LNK_REDRIVE_ENDED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_IDEMPOTENCY_KEY_RUNNING`: The first request with this Idempotency-Key is still running. Repeat the request later
         *
         *     `LNK_REDRIVE_ENDED`: Redrive '…' is over already: it is …
         *
         *     `LNK_REDRIVE_TRYING`: Redrive '…' still waits for the ends of its first jobs. Continue it when its state is 'waiting'
         */
        "LNK_IDEMPOTENCY_KEY_RUNNING.LNK_REDRIVE_ENDED.LNK_REDRIVE_TRYING": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_INTERNAL`: The hub failed. Its log shows the reason under this request id */
        LNK_INTERNAL: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_INTERNAL`: The hub failed. Its log shows the reason under this request id
         *
         *     `LNK_PUBLISH_FAILED`: The event may not have been stored. Send it again: if it was, the hub recognises it
         */
        "LNK_INTERNAL.LNK_PUBLISH_FAILED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_JOB_NOT_FOUND`: Job '…' not found */
        LNK_JOB_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_MEDIA_TYPE_UNSUPPORTED`: The body must be JSON. Send the header Content-Type: application/json */
        LNK_MEDIA_TYPE_UNSUPPORTED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_NOT_FOUND` */
        LNK_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_OFFER_NOT_FOUND`: Offer '…' not found */
        LNK_OFFER_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_ORDER_NOT_FOUND`: Order '…' not found */
        LNK_ORDER_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_ORDER_NOT_FOUND`: Order '…' not found
         *
         *     `LNK_SHIPMENT_NOT_FOUND`: Order '…' has no shipment
         */
        "LNK_ORDER_NOT_FOUND.LNK_SHIPMENT_NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_ORDER_STATE` */
        LNK_ORDER_STATE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_PAYLOAD_TOO_LARGE`: The body is larger than … bytes */
        LNK_PAYLOAD_TOO_LARGE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_PRECONDITION_FAILED`: The resource has changed since the version in If-Match. Read it again and repeat the change */
        LNK_PRECONDITION_FAILED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_REDRIVE_NOT_FOUND`: Redrive '…' not found */
        LNK_REDRIVE_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_REQUEST_INVALID` */
        LNK_REQUEST_INVALID: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_SIGNATURE_MISMATCH`: The signature does not match the body received: the secret differs, or other bytes were signed than sent
         *
         *     `LNK_TIMESTAMP_OUTSIDE_WINDOW`
         *
         *     `LNK_WEBHOOK_SECRET_MISSING`: No webhook secret is set for this connection
         */
        "LNK_SIGNATURE_MISMATCH.LNK_TIMESTAMP_OUTSIDE_WINDOW.LNK_WEBHOOK_SECRET_MISSING": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_SIGN_IN_CODE_ENDED`: This sign-in code is unknown, was used, or has ended. `linker console` prints a new link
         *
         *     `LNK_UNAUTHORIZED`: This route needs "Authorization: Bearer <token>"
         */
        "LNK_SIGN_IN_CODE_ENDED.LNK_UNAUTHORIZED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_TOKEN_FAILURES`: Too many wrong tokens came from this address. Try again in … s */
        LNK_TOKEN_FAILURES: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_TOKEN_NAME_TAKEN`: A token is called '…' already. Revoke it first, or choose another name */
        LNK_TOKEN_NAME_TAKEN: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_TOKEN_NOT_FOUND`: Token '…' does not exist, or is revoked already */
        LNK_TOKEN_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_UNAUTHORIZED`: This route needs "Authorization: Bearer <token>" */
        LNK_UNAUTHORIZED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_VARIANT_NOT_FOUND`: Variant '…' not found */
        LNK_VARIANT_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_WEBHOOK_CONNECTION_NOT_FOUND`: No active connection at this address */
        LNK_WEBHOOK_CONNECTION_NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /**
         * @description `LNK_WEBHOOK_HEADER_MISSING`
         *
         *     `LNK_WEBHOOK_MALFORMED`
         */
        "LNK_WEBHOOK_HEADER_MISSING.LNK_WEBHOOK_MALFORMED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `LNK_WEBHOOK_NOT_INSTALLED`: The hub has no webhook secret of connection '…' to sign with: install its webhooks, or set … */
        LNK_WEBHOOK_NOT_INSTALLED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The text format of Prometheus */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # HELP linker_refused_tokens_total Requests refused for their token
                     *     # TYPE linker_refused_tokens_total counter
                     *     linker_refused_tokens_total{code="LNK_UNAUTHORIZED"} 2
                     */
                    "text/plain": string;
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    checkHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        status: string;
                        checks?: {
                            name: string;
                            /** @enum {string} */
                            status: "ok" | "degraded" | "failed";
                            message?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    checkReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "checks": [
                     *         {
                     *           "name": "database",
                     *           "status": "ok"
                     *         },
                     *         {
                     *           "name": "streams",
                     *           "status": "ok"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        status: string;
                        checks?: {
                            name: string;
                            /** @enum {string} */
                            status: "ok" | "degraded" | "failed";
                            message?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            500: components["responses"]["LNK_INTERNAL"];
            /** @description Default Response */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                        checks?: {
                            name: string;
                            /** @enum {string} */
                            status: "ok" | "degraded" | "failed";
                            message?: string;
                        }[];
                    };
                };
            };
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    answerWebhookChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer that the adapter declares: plain text, JSON or nothing */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 1158201444 */
                    "text/plain": string;
                };
            };
            /** @description The answer that the adapter declares: plain text, JSON or nothing */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 1158201444 */
                    "text/plain": string;
                };
            };
            /** @description The answer that the adapter declares: plain text, JSON or nothing */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 1158201444 */
                    "text/plain": string;
                };
            };
            /** @description The answer that the adapter declares */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["LNK_WEBHOOK_HEADER_MISSING.LNK_WEBHOOK_MALFORMED"];
            401: components["responses"]["LNK_SIGNATURE_MISMATCH.LNK_TIMESTAMP_OUTSIDE_WINDOW.LNK_WEBHOOK_SECRET_MISSING"];
            404: components["responses"]["LNK_WEBHOOK_CONNECTION_NOT_FOUND"];
            500: components["responses"]["LNK_INTERNAL.LNK_PUBLISH_FAILED"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL.LNK_WEBHOOK_NOT_READY.LNK_WEBHOOK_PROOF_UNAVAILABLE"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schemaVersion": 1,
                 *       "eventId": "evt-184467",
                 *       "eventType": "stock.changed",
                 *       "occurredAt": "2026-01-31T09:59:59Z",
                 *       "object": {
                 *         "type": "stock",
                 *         "externalId": "27"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @enum {number} */
                    schemaVersion: 1;
                    eventId: string;
                    eventType: string;
                    /** @description ISO 8601 */
                    occurredAt: string;
                    object: {
                        type: string;
                        externalId: string;
                    };
                    /** @description Not the source of truth: the job reads the platform */
                    payload?: Record<string, never> | unknown[];
                };
            };
        };
        responses: {
            /** @description The answer that the adapter declares: plain text, JSON or nothing */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example OK */
                    "text/plain": string;
                };
            };
            /** @description The answer that the adapter declares: plain text, JSON or nothing */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example OK */
                    "text/plain": string;
                };
            };
            /** @description Stored now or earlier */
            202: {
                headers: {
                    /** @description Id of the delivery; a repetition gets the same. `GET /webhook-deliveries/{id}` tells its fate */
                    "X-Linker-Delivery-Id"?: string;
                    /** @description How many events the body has, unless it is one. X-Linker-Delivery-Id has the ids of the first 20 */
                    "X-Linker-Events"?: string;
                    /** @description The hub had this event, or each event of the list, already, so this delivery changes nothing */
                    "X-Linker-Duplicate"?: "true";
                    /** @description How many events of the body the hub had already, unless the body has one event */
                    "X-Linker-Duplicates"?: string;
                    /** @description Why no job starts. `unknown-event-type`: the hub knows no job for this event type, so it only keeps the event. `unwanted-event-type`: the adapter does not want the event, so the hub does not keep it */
                    "X-Linker-Ignored"?: "unknown-event-type" | "unwanted-event-type";
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The answer that the adapter declares */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["LNK_WEBHOOK_HEADER_MISSING.LNK_WEBHOOK_MALFORMED"];
            401: components["responses"]["LNK_SIGNATURE_MISMATCH.LNK_TIMESTAMP_OUTSIDE_WINDOW.LNK_WEBHOOK_SECRET_MISSING"];
            404: components["responses"]["LNK_WEBHOOK_CONNECTION_NOT_FOUND"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            500: components["responses"]["LNK_INTERNAL.LNK_PUBLISH_FAILED"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL.LNK_INTAKE_FULL.LNK_WEBHOOK_NOT_READY.LNK_WEBHOOK_PROOF_UNAVAILABLE"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    answerWebhookHandshake: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer that the adapter declares: plain text, JSON or nothing */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 1158201444 */
                    "text/plain": string;
                };
            };
            /** @description The answer that the adapter declares: plain text, JSON or nothing */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 1158201444 */
                    "text/plain": string;
                };
            };
            /** @description The answer that the adapter declares: plain text, JSON or nothing */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example 1158201444 */
                    "text/plain": string;
                };
            };
            /** @description The answer that the adapter declares */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["LNK_WEBHOOK_HEADER_MISSING.LNK_WEBHOOK_MALFORMED"];
            401: components["responses"]["LNK_SIGNATURE_MISMATCH.LNK_TIMESTAMP_OUTSIDE_WINDOW.LNK_WEBHOOK_SECRET_MISSING"];
            404: components["responses"]["LNK_WEBHOOK_CONNECTION_NOT_FOUND"];
            500: components["responses"]["LNK_INTERNAL.LNK_PUBLISH_FAILED"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL.LNK_WEBHOOK_NOT_READY.LNK_WEBHOOK_PROOF_UNAVAILABLE"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: string;
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schemaVersion": 1,
                 *       "eventId": "evt-184467",
                 *       "eventType": "stock.changed",
                 *       "occurredAt": "2026-01-31T09:59:59Z",
                 *       "object": {
                 *         "type": "stock",
                 *         "externalId": "27"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @enum {number} */
                    schemaVersion: 1;
                    eventId: string;
                    eventType: string;
                    /** @description ISO 8601 */
                    occurredAt: string;
                    object: {
                        type: string;
                        externalId: string;
                    };
                    /** @description Not the source of truth: the job reads the platform */
                    payload?: Record<string, never> | unknown[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookVerdict"];
                };
            };
            404: components["responses"]["LNK_WEBHOOK_CONNECTION_NOT_FOUND"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    installWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhooksInstalled"];
                };
            };
            400: components["responses"]["LNK_ADAPTER_REJECTED.LNK_CONNECTION_DISABLED.LNK_CONNECTION_INVALID.LNK_CREDENTIALS_NOT_FOUND.LNK_REQUEST_INVALID.LNK_WEBHOOK_INSTALL_UNSUPPORTED"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_ADAPTER_NOT_FOUND.LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_MOVING.LNK_CONNECTION_PAUSED.LNK_WEBHOOK_INSTALL_RUNNING"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_CONFIGURATION.LNK_ADAPTER_FAILED.LNK_ADAPTER_MISSING.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            502: components["responses"]["LNK_ADAPTER_AUTHENTICATION.LNK_ADAPTER_CRASHED.LNK_ADAPTER_OUTCOME_UNKNOWN"];
            503: components["responses"]["LNK_ADAPTER_RATE_LIMITED.LNK_ADAPTER_TRANSIENT.LNK_ADAPTER_UNAVAILABLE.LNK_ADAPTER_WRITE_UNDER_WAY.LNK_CAPABILITY_UNAVAILABLE.LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL.LNK_PLATFORM_UNAVAILABLE"];
            504: components["responses"]["LNK_ADAPTER_TIMEOUT"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            400: components["responses"]["LNK_CONNECTION_DISABLED.LNK_CONNECTION_INVALID.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_WEBHOOK_NOT_INSTALLED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readWebhookStatus: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookStatus"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhookRefusals: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRefusal"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                provider?: string;
                connectionId?: string;
                /** @description Such as `stock.changed` */
                eventType?: string;
                eventId?: string;
                /** @description The status of the job, or `ignored` */
                status?: "queued" | "running" | "waiting" | "succeeded" | "dead" | "cancelled" | "ignored";
                /** @description Whether it was replayed, with whatever end */
                replayed?: boolean;
                /** @description Recorded at this time or later */
                since?: string;
                /** @description Recorded before this time */
                until?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_DELIVERY_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event still starts no job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplayIgnored"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            400: components["responses"]["LNK_CONNECTION_DISABLED.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND.LNK_DELIVERY_NOT_FOUND"];
            409: components["responses"]["LNK_DELIVERY_REPLAY_LIMIT.LNK_IDEMPOTENCY_KEY_RUNNING"];
            410: components["responses"]["LNK_DELIVERY_EXPIRED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replayDeliveries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
                 *         "status": "dead"
                 *       },
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    /** @description Which deliveries; one member at least */
                    filter: {
                        provider?: string;
                        /** Format: uuid */
                        connectionId?: string;
                        /** @description Such as `stock.changed` */
                        eventType?: string;
                        eventId?: string;
                        /**
                         * @description The status of the job, or `ignored`
                         * @enum {string}
                         */
                        status?: "queued" | "running" | "waiting" | "succeeded" | "dead" | "cancelled" | "ignored";
                        /** @description Whether it was replayed, with whatever end */
                        replayed?: boolean;
                        /**
                         * Format: date-time
                         * @description Recorded at this time or later
                         */
                        since?: string;
                        /**
                         * Format: date-time
                         * @description Recorded before this time
                         */
                        until?: string;
                    };
                    /**
                     * @description Also replays deliveries of which an earlier replay succeeded or has not ended
                     * @default false
                     */
                    includeReplayed?: boolean;
                    /**
                     * @description Only tells what a replay would do
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplaySummary"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplaySummary"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            409: components["responses"]["LNK_DELIVERIES_TOO_MANY.LNK_IDEMPOTENCY_KEY_RUNNING"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listTokens: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                /** @description session: people who are signed in; `DELETE /tokens/{id}` signs one out */
                kind?: "token" | "session";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Token"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "dashboard",
                 *       "scope": "read",
                 *       "expiresAt": "2026-05-01T00:00:00.000Z"
                 *     }
                 */
                "application/json": {
                    /** @description Says who uses the token; the hub names it wherever it says who did something */
                    name: string;
                    /**
                     * @description read: look at everything but secrets; operate: read, and run, retry and change what the hub does with its connections; admin: operate, and change connections, credentials, adapter versions and tokens
                     * @enum {string}
                     */
                    scope: "read" | "operate" | "admin";
                    /** Format: date-time */
                    expiresAt?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0198c3a2-11aa-7d3e-8f7b-2f1f5f0e9c10",
                     *       "name": "dashboard",
                     *       "scope": "read",
                     *       "createdAt": "2026-01-31T10:00:00.000Z",
                     *       "createdBy": "(own token)",
                     *       "expiresAt": "2026-05-01T00:00:00.000Z",
                     *       "lastUsedAt": null,
                     *       "token": "lnk_ki2pBzkDin2X8lHfXIATDYJ15zP1flDg67qweLO_Hrg"
                     *     }
                     */
                    "application/json": components["schemas"]["Token"] & {
                        /** @description Shown once: the hub keeps only its hash */
                        token: string;
                    };
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            409: components["responses"]["LNK_TOKEN_NAME_TAKEN"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_TOKEN_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description Either `token` or `code` */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "lnk_ki2pBzkDin2X8lHfXIATDYJ15zP1flDg67qweLO_Hrg"
                 *     }
                 */
                "application/json": {
                    /** @description A named token, or that of the hub */
                    token?: string;
                    /** @description A sign-in code, which works once */
                    code?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_SIGN_IN_CODE_ENDED.LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_SESSION_INSECURE"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSignInCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "code": "Zr4n0Wm7cYp2uXqLk9hVtB3sGdEaJf8oNiQ5yT1xRcM",
                     *       "expiresAt": "2026-01-31T10:10:00.000Z",
                     *       "path": "/console/#code=Zr4n0Wm7cYp2uXqLk9hVtB3sGdEaJf8oNiQ5yT1xRcM"
                     *     }
                     */
                    "application/json": {
                        /** @description Works once. The hub keeps only its hash */
                        code: string;
                        /** Format: date-time */
                        expiresAt: string;
                        /** @description The path of the console that signs a person in with this code */
                        path: string;
                    };
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                connectionId?: string;
                /** @description The name of the actor */
                actor?: string;
                action?: string;
                /** @description The `objectId` of an entry */
                objectId?: string;
                /** @description Made at this time or later */
                since?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntry"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rewrapCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Opens the secrets and changes nothing
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialsRewrap"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            409: components["responses"]["LNK_CREDENTIALS_KEY_MISSING"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listConnections: {
        parameters: {
            query?: {
                platformType?: string;
                status?: "active" | "disabled" | "error";
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createConnection: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "My shop",
                 *       "platformType": "myshop",
                 *       "config": {
                 *         "baseUrl": "https://shop.example",
                 *         "language": "en"
                 *       },
                 *       "credentials": {
                 *         "apiKey": "the key from the settings of the shop"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Display name: one line of text that does not start with a space */
                    name: string;
                    platformType: string;
                    adapterKey?: string;
                    /** @description Exact version, SemVer range or `latest`. The creation stores the exact version that it chose. */
                    adapterVersion?: string;
                    /** @enum {string} */
                    status?: "active" | "disabled" | "error";
                    capabilities?: string[];
                    config?: {
                        [key: string]: unknown;
                    };
                    settings?: {
                        /**
                         * Sell what the shop switched off
                         * @description Offers keep the quantity of products and variants that the shop switched off or does not sell now
                         */
                        sellsInactive?: boolean;
                        /**
                         * Ships within
                         * @description An order that is older and not shipped becomes an item of what needs attention. Empty: no order does
                         */
                        shipsWithin?: number;
                        /**
                         * Confirm a jump of stock
                         * @description When the stock of a variant grows by more pieces at once, its offers keep the old quantity until a person confirms the new one. Stock that falls is always passed on. Empty: nothing waits
                         */
                        confirmStockJump?: number;
                        /**
                         * Read orders again for
                         * @description The hub reads an order that it made in the shop again and again, until it is delivered, cancelled or returned, and for so long at most
                         */
                        orderPollDays?: number;
                    };
                    credentials?: {
                        [key: string]: unknown;
                    } | string;
                    credentialsRef?: string;
                    /** @description Make the connection although another one opens the same account; only the other one takes its orders */
                    allowSameAccount?: boolean;
                    /**
                     * Format: uuid
                     * @description The id of a deleted connection to the same account. The new one takes over its orders, links, limits and cursors. Without it, the hub makes no order in the shop that was placed before the connection was made
                     */
                    takeOver?: string;
                    /** @description Pause the whole connection from the start: none of its jobs calls the platform before `POST /connections/{id}/resume` */
                    paused?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["LNK_CONNECTION_INVALID.LNK_CREDENTIALS_NOT_FOUND.LNK_PLATFORM_UNKNOWN.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            409: components["responses"]["LNK_ACCOUNT_CONNECTED.LNK_IDEMPOTENCY_KEY_RUNNING.LNK_TAKE_OVER_REFUSED"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_CONNECTION_CREATION_FAILED.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteConnection: {
        parameters: {
            query?: {
                /** @description Changes nothing; answers what would be deleted and what stands in the way */
                dryRun?: boolean;
                /** @description Deletes the connection although it has open orders */
                force?: boolean;
                /** @description Time that running jobs of the connection have to end */
                waitSeconds?: number;
            };
            header?: {
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionDeletion"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_BUSY.LNK_CONNECTION_MOVING.LNK_DELETION_REFUSED"];
            412: components["responses"]["LNK_PRECONDITION_FAILED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateConnection: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "My shop in Berlin",
                 *       "config": {
                 *         "language": null
                 *       },
                 *       "settings": {
                 *         "orderPollDays": 30
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Display name: one line of text that does not start with a space */
                    name?: string;
                    /** @enum {string} */
                    status?: "active" | "disabled" | "error";
                    adapterKey?: string;
                    /** @description Exact version, SemVer range or `latest`. The creation stores the exact version that it chose. */
                    adapterVersion?: string;
                    capabilities?: string[];
                    config?: {
                        [key: string]: unknown;
                    };
                    /** @description The hub's own settings of the connection */
                    settings?: {
                        /**
                         * Sell what the shop switched off
                         * @description Offers keep the quantity of products and variants that the shop switched off or does not sell now
                         */
                        sellsInactive?: boolean | null;
                        /**
                         * Ships within
                         * @description An order that is older and not shipped becomes an item of what needs attention. Empty: no order does
                         */
                        shipsWithin?: number | null;
                        /**
                         * Confirm a jump of stock
                         * @description When the stock of a variant grows by more pieces at once, its offers keep the old quantity until a person confirms the new one. Stock that falls is always passed on. Empty: nothing waits
                         */
                        confirmStockJump?: number | null;
                        /**
                         * Read orders again for
                         * @description The hub reads an order that it made in the shop again and again, until it is delivered, cancelled or returned, and for so long at most
                         */
                        orderPollDays?: number | null;
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["LNK_CONNECTION_INVALID.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_MOVING"];
            412: components["responses"]["LNK_PRECONDITION_FAILED"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    disableConnection: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "the shop closed for good"
                 *     }
                 */
                "application/json": {
                    /** @description For colleagues: the connection shows it */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_MOVING"];
            412: components["responses"]["LNK_PRECONDITION_FAILED"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    enableConnection: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_MOVING"];
            412: components["responses"]["LNK_PRECONDITION_FAILED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replaceCredentials: {
        parameters: {
            query?: {
                test?: boolean;
            };
            header?: {
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "credentials": {
                 *         "apiKey": "the new key"
                 *       }
                 *     }
                 */
                "application/json": {
                    credentials: {
                        [key: string]: unknown;
                    } | string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["LNK_CONNECTION_INVALID.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_ACCOUNT_CONNECTED.LNK_ACCOUNT_DIFFERS"];
            412: components["responses"]["LNK_PRECONDITION_FAILED"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_MISSING.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionTest"];
                };
            };
            400: components["responses"]["LNK_CREDENTIALS_NOT_FOUND.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_MISSING.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listConnectionHealth: {
        parameters: {
            query?: {
                platformType?: string;
                status?: "active" | "disabled" | "error";
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionHealth"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    moveConnection: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "adapterVersion": "1.5.0",
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    adapterKey?: string;
                    /** @description Exact version, SemVer range or `latest`. The creation stores the exact version that it chose. */
                    adapterVersion: string;
                    /**
                     * @description Answers the same but changes nothing
                     * @default false
                     */
                    dryRun?: boolean;
                    /**
                     * @description Accepts lost capabilities, new permissions and irreversible migrations
                     * @default false
                     */
                    confirm?: boolean;
                    /**
                     * @description Tests the connection with the new version first
                     * @default true
                     */
                    test?: boolean;
                    /**
                     * @description Time that running jobs of the connection have to end
                     * @default 30
                     */
                    waitSeconds?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Move"];
                };
            };
            400: components["responses"]["LNK_CONNECTION_INVALID.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_BUSY.LNK_CONNECTION_MOVING.LNK_MOVE_REFUSED.LNK_MOVE_UNCONFIRMED"];
            412: components["responses"]["LNK_PRECONDITION_FAILED"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMoves: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PastMove"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rollBackMove: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Answers the same but changes nothing
                     * @default false
                     */
                    dryRun?: boolean;
                    /**
                     * @description Time that running jobs of the connection have to end
                     * @default 30
                     */
                    waitSeconds?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Move"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_BUSY.LNK_CONNECTION_MOVING.LNK_MOVE_REFUSED"];
            412: components["responses"]["LNK_PRECONDITION_FAILED"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCursors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cursor"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setCursor: {
        parameters: {
            query?: {
                /** @description Time that running jobs of the connection have to end */
                waitSeconds?: number;
            };
            header?: never;
            path: {
                id: string;
                /** @description Name of the cursor, as the list shows it */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "184467"
                 *     }
                 */
                "application/json": {
                    /** @description A position of the platform. The hub cannot check it: the next reading goes on from there */
                    value: string;
                    /**
                     * @description Also sets a cursor that the connection does not have yet
                     * @default false
                     */
                    create?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND.LNK_CURSOR_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_BUSY.LNK_CONNECTION_MOVING"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteCursor: {
        parameters: {
            query?: {
                /** @description Time that running jobs of the connection have to end */
                waitSeconds?: number;
            };
            header?: never;
            path: {
                id: string;
                /** @description Name of the cursor, as the list shows it */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND.LNK_CURSOR_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_BUSY.LNK_CONNECTION_MOVING"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readUpstream: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upstream"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setBudget: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ratePerSecond": 2,
                 *       "burst": 5,
                 *       "reason": "the cash desk uses the same account"
                 *     }
                 */
                "application/json": {
                    /** @description Requests per second in the long run */
                    ratePerSecond: number;
                    /** @description Requests that the hub may send at once after an idle time */
                    burst: number;
                    /** @description For colleagues: the budget and the audit show it */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upstream"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteBudget: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upstream"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resetUpstream: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Upstream"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    invokeCapability: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "capability": "InventoryMaster",
                 *       "method": "getStock",
                 *       "args": [
                 *         "27"
                 *       ],
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    capability: string;
                    method: string;
                    /**
                     * @description The arguments of the method, in their order
                     * @default []
                     */
                    args?: unknown[];
                    /**
                     * @description Send only GET and HEAD requests, and show those that could change something
                     * @default false
                     */
                    dryRun?: boolean;
                    /**
                     * @description Answer the requests of a call that succeeds and their answers, without secrets and with made-up personal data. An object makes several calls and one recording of them, in which one person or secret is the same in all; `value` is that of the last call
                     * @default false
                     */
                    record?: boolean | {
                        /** @description Follow the cursors of a listing for this many pages. Absent: for one */
                        pages?: number;
                        /** @description Call again with the same arguments, as the hub repeats a job */
                        twice?: boolean;
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invocation"];
                };
            };
            400: components["responses"]["LNK_CONNECTION_DISABLED.LNK_CREDENTIALS_NOT_FOUND.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_MOVING"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_MISSING.LNK_CAPABILITY_NOT_SUPPORTED.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDeletedConnections: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                /** @description Only those that this connection can take over: they opened its account, and it has not taken over their orders yet */
                takeOverBy?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedConnection"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    takeOverConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connectionId": "0198c3b1-aa2e-7b3f-8e40-5b6c7d8e9fa1"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The id of the deleted connection
                     */
                    connectionId: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TakeOver"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_BUSY.LNK_CONNECTION_MOVING.LNK_TAKE_OVER_REFUSED"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    pauseConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "the shop moves to another server",
                 *       "until": "2026-01-31T12:00:00.000Z"
                 *     }
                 */
                "application/json": {
                    /** @description Only these capabilities. Default: the whole connection */
                    capabilities?: string[];
                    /** @description For colleagues: the connection shows it */
                    reason?: string;
                    /**
                     * Format: date-time
                     * @description When the pause ends by itself. Default: it stands until somebody ends it
                     */
                    until?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resumeConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "capabilities": [
                 *         "OrderProcessorManager"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Only these capabilities. Default: the whole connection */
                    capabilities?: string[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Connection"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readSystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["System"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    setLogLevel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "level": "debug",
                 *       "minutes": 10
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    level: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
                    /**
                     * @description How long it holds; then the hub logs at LOG_LEVEL again
                     * @default 30
                     */
                    minutes?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogLevel"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resetLogLevel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogLevel"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAdapters: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Adapter"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readAdapterSchema: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
                /** @description Exact version, SemVer range or `latest` */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "adapterKey": "myshop.api.v1",
                     *       "version": "1.4.0",
                     *       "config": {
                     *         "type": "object",
                     *         "required": [
                     *           "baseUrl"
                     *         ],
                     *         "properties": {
                     *           "baseUrl": {
                     *             "type": "string",
                     *             "format": "uri"
                     *           }
                     *         }
                     *       },
                     *       "settings": {
                     *         "type": "object",
                     *         "properties": {
                     *           "confirmStockJump": {
                     *             "type": "integer",
                     *             "title": "Confirm a jump of stock",
                     *             "unit": "pieces"
                     *           }
                     *         }
                     *       },
                     *       "credentials": {
                     *         "type": "object",
                     *         "required": [
                     *           "apiKey"
                     *         ],
                     *         "properties": {
                     *           "apiKey": {
                     *             "type": "string",
                     *             "secret": true
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        adapterKey: string;
                        version: string;
                        /** @description JSON Schema */
                        config: {
                            [key: string]: unknown;
                        };
                        /** @description JSON Schema */
                        settings: {
                            [key: string]: unknown;
                        };
                        /** @description JSON Schema */
                        credentials: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readAdapterIcon: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
                /** @description Exact version, SemVer range or `latest` */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The icon */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M6 11h20l2 17H4z"/></svg> */
                    "image/svg+xml": unknown;
                    /** @example <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M6 11h20l2 17H4z"/></svg> */
                    "image/png": unknown;
                };
            };
            /** @description The icon has not changed */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readAdapterChangelog: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
                /** @description Exact version, SemVer range or `latest` */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Markdown */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example # 1.4.0
                     *
                     *     - reads prices with tax
                     */
                    "text/plain": string;
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    validateConfig: {
        parameters: {
            query?: {
                version?: string;
                test?: boolean;
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "config": {
                 *         "baseUrl": "shop.example"
                 *       },
                 *       "credentials": {
                 *         "apiKey": "the key"
                 *       }
                 *     }
                 */
                "application/json": {
                    config: {
                        [key: string]: unknown;
                    };
                    credentials?: {
                        [key: string]: unknown;
                    } | string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "valid": false,
                     *       "errors": [
                     *         {
                     *           "pointer": "/config/baseUrl",
                     *           "code": "format",
                     *           "message": "must be an address, such as https://…"
                     *         }
                     *       ],
                     *       "warnings": []
                     *     }
                     */
                    "application/json": {
                        valid: boolean;
                        errors: {
                            pointer: string;
                            code: string;
                            message: string;
                        }[];
                        warnings: {
                            pointer: string;
                            code: string;
                            message: string;
                        }[];
                        test?: components["schemas"]["ConnectionTest"];
                    };
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_NOT_FOUND"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_CHECK_STOPPED.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listProducts: {
        parameters: {
            query?: {
                connectionId?: string;
                externalId?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Product"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readVariant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variant"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_VARIANT_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listStock: {
        parameters: {
            query?: {
                variantId?: string;
                /** @description Only variants that this master shop has or this marketplace offers */
                connectionId?: string;
                /** @description `true`: only variants with an offer whose last write is missing or differs from the wanted quantity, or whose marketplace shows another quantity than the last write */
                drift?: boolean;
                /** @description `true`: only variants whose stock has jumped and waits for a person */
                jumped?: boolean;
                /** @description Only variants with this EAN, product id of the shop, or beginning of a name or SKU. Names and SKUs are found in any case, ids only as they are */
                q?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stock"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmStock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description One of the members */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "variantId": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description This variant, and those that share its stock
                     */
                    variantId?: string;
                    /**
                     * Format: uuid
                     * @description All variants of this shop
                     */
                    connectionId?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StockConfirmation"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSweeps: {
        parameters: {
            query?: {
                connectionId?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InventorySweep"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    linkOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connectionId": "0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41",
                 *       "variantId": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05",
                 *       "externalId": "MUG-R-1",
                 *       "buffer": 1
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    connectionId: string;
                    /** Format: uuid */
                    variantId: string;
                    /** @description Id of the offer at the marketplace */
                    externalId: string;
                    /** @description Pieces of the stock that the offer does not show */
                    buffer?: number;
                    /** @description Largest quantity that the offer shows; null: no limit */
                    maxListed?: number | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Offer"];
                };
            };
            /** @description Default Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Offer"];
                };
            };
            400: components["responses"]["LNK_ADAPTER_REJECTED.LNK_CONNECTION_DISABLED.LNK_CREDENTIALS_NOT_FOUND.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND.LNK_OFFER_NOT_SHOWN.LNK_VARIANT_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_MOVING.LNK_IDEMPOTENCY_KEY_RUNNING.LNK_OFFER_ALREADY_LINKED"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_MISSING.LNK_CAPABILITY_NOT_SUPPORTED.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOffers: {
        parameters: {
            query?: {
                connectionId?: string;
                variantId?: string;
                /** @description Id of the offer at the marketplace */
                externalId?: string;
                /** @description Only offers of variants with this SKU, in any case; of unlinked offers, those that show it */
                sku?: string;
                /** @description Only offers of variants with this EAN; of unlinked offers, those that show it. Zeros before it do not count: a UPC is an EAN with a zero before it */
                ean?: string;
                status?: "DRAFT" | "ACTIVE" | "INACTIVE" | "ENDED" | "FAILED";
                /** @description Only offers with a problem of this kind; `marketplace`: one that the marketplace shows */
                problem?: "any" | "marketplace" | "never-shown" | "unknown-at-marketplace" | "not-created" | "not-looked-up" | "quantity-refused" | "quantity-not-written" | "change-not-written" | "not-ended";
                /** @description Only offers with this warning */
                warning?: "stock-frozen" | "oversell";
                /** @description Only offers with this id at the marketplace, and offers of variants with this EAN, product id of the shop, or beginning of a name or SKU. Names and SKUs are found in any case, ids only as they are */
                q?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Offer"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listUnlinkedOffers: {
        parameters: {
            query?: {
                connectionId?: string;
                /** @description Id of the offer at the marketplace */
                externalId?: string;
                /** @description Only offers of variants with this SKU, in any case; of unlinked offers, those that show it */
                sku?: string;
                /** @description Only offers of variants with this EAN; of unlinked offers, those that show it. Zeros before it do not count: a UPC is an EAN with a zero before it */
                ean?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnlinkedOffer"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Offer"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_OFFER_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    unlinkOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_OFFER_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    limitOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "buffer": 2,
                 *       "maxListed": 50
                 *     }
                 */
                "application/json": {
                    /** @description Pieces of the stock that the offer does not show */
                    buffer?: number;
                    /** @description Largest quantity that the offer shows; null: no limit */
                    maxListed?: number | null;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Offer"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_OFFER_NOT_FOUND"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    refreshOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "9f506172-8394-5ea5-8fb6-d027e138f249"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        jobId: string;
                    };
                };
            };
            400: components["responses"]["LNK_CONNECTION_DISABLED.LNK_CREDENTIALS_NOT_FOUND.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND.LNK_OFFER_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_MOVING.LNK_IDEMPOTENCY_KEY_RUNNING"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_MISSING.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    explainOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferExplanation"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_OFFER_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listMarketplaceOffers: {
        parameters: {
            query?: {
                /** @description `unlinked`: `certain`, `ambiguous` and `none` */
                state?: "linked" | "certain" | "ambiguous" | "none" | "unlinked";
                /** @description Only offers with this text in their title, id, reference, SKU or EAN; in any case */
                q?: string;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketplaceOffer"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_CAPABILITY_NOT_SUPPORTED.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    linkMarketplaceOffers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        /** @description `filter` or `externalIds`; without both, all unlinked offers */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "dryRun": true,
                 *       "filter": {
                 *         "q": "mug"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Only tells what would be linked
                     * @default false
                     */
                    dryRun?: boolean;
                    filter?: {
                        /** @description Only offers with this text in their title, id, reference, SKU or EAN; in any case */
                        q: string;
                    };
                    /** @description Only these offers. Those that are not certain are skipped, too */
                    externalIds?: string[];
                    /** @description Only offers with a greater id: `next` of an answer */
                    after?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketplaceLinkSummary"];
                };
            };
            400: components["responses"]["LNK_CONNECTION_DISABLED.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_CAPABILITY_NOT_SUPPORTED.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL.LNK_HUB_STOPPING"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reconcileStock: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connectionId": "0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41",
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    connectionId?: string;
                    /** @description Accept that variants are gone when the next sweep of this master shop does not see them, however many */
                    acceptMissing?: boolean;
                    /** @description Only list what would change at this connection; change nothing */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconcilePreview"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobIds": [
                     *         "9f506172-8394-5ea5-8fb6-d027e138f249",
                     *         "a0617283-94a5-5fb6-90c7-e138f24a035b"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        jobIds: string[];
                    };
                };
            };
            400: components["responses"]["LNK_ADAPTER_REJECTED.LNK_CONNECTION_DISABLED.LNK_CREDENTIALS_NOT_FOUND.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_ADAPTER_NOT_FOUND.LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_CAPABILITY_PAUSED.LNK_CONNECTION_MOVING.LNK_CONNECTION_PAUSED.LNK_IDEMPOTENCY_KEY_RUNNING"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_CONFIGURATION.LNK_ADAPTER_FAILED.LNK_ADAPTER_MISSING.LNK_CAPABILITY_NOT_SUPPORTED.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            502: components["responses"]["LNK_ADAPTER_AUTHENTICATION.LNK_ADAPTER_CRASHED.LNK_ADAPTER_OUTCOME_UNKNOWN"];
            503: components["responses"]["LNK_ADAPTER_RATE_LIMITED.LNK_ADAPTER_TRANSIENT.LNK_ADAPTER_UNAVAILABLE.LNK_ADAPTER_WRITE_UNDER_WAY.LNK_CAPABILITY_UNAVAILABLE.LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL.LNK_PLATFORM_UNAVAILABLE"];
            504: components["responses"]["LNK_ADAPTER_TIMEOUT"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                connectionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "variantId": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05",
                 *       "price": {
                 *         "amount": "14.90",
                 *         "currency": "EUR"
                 *       },
                 *       "publishImmediately": true,
                 *       "overrides": {
                 *         "title": "Red mug, 300 ml",
                 *         "dispatchTime": {
                 *           "unit": "day",
                 *           "period": 1
                 *         }
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    variantId: string;
                    /** @description First quantity of the offer; default: that of the master. The next change of the master replaces it */
                    stock?: number;
                    price?: {
                        amount: string;
                        currency: string;
                    };
                    /** @description Whether buyers can buy the offer at once. Default true */
                    publishImmediately?: boolean;
                    /** @description Values of the offer that replace those of the shop */
                    overrides?: {
                        title?: string;
                        description?: {
                            sections: {
                                items: {
                                    /** @enum {string} */
                                    type: "TEXT";
                                    content: string;
                                }[];
                            }[];
                        };
                        imageUrls?: string[];
                        dispatchTime?: {
                            /**
                             * Unit of the handling time
                             * @enum {string}
                             */
                            unit: "hour" | "day" | "month";
                            /** Number of units */
                            period: number;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferCreation"];
                };
            };
            400: components["responses"]["LNK_CONNECTION_DISABLED.LNK_CREDENTIALS_NOT_FOUND.LNK_OFFER_INVALID.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND.LNK_VARIANT_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_MOVING.LNK_IDEMPOTENCY_KEY_RUNNING.LNK_OFFER_ALREADY_LISTED"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_MISSING.LNK_CAPABILITY_NOT_SUPPORTED.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createProductOffers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                connectionId: string;
                productId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "price": {
                 *         "amount": "14.90",
                 *         "currency": "EUR"
                 *       },
                 *       "publishImmediately": false
                 *     }
                 */
                "application/json": {
                    /** @description First quantity of the offer; default: that of the master. The next change of the master replaces it */
                    stock?: number;
                    price?: {
                        amount: string;
                        currency: string;
                    };
                    /** @description Whether buyers can buy the offer at once. Default true */
                    publishImmediately?: boolean;
                    /** @description Values of the offer that replace those of the shop */
                    overrides?: {
                        title?: string;
                        description?: {
                            sections: {
                                items: {
                                    /** @enum {string} */
                                    type: "TEXT";
                                    content: string;
                                }[];
                            }[];
                        };
                        imageUrls?: string[];
                        dispatchTime?: {
                            /**
                             * Unit of the handling time
                             * @enum {string}
                             */
                            unit: "hour" | "day" | "month";
                            /** Number of units */
                            period: number;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferCreation"][];
                };
            };
            400: components["responses"]["LNK_CONNECTION_DISABLED.LNK_CREDENTIALS_NOT_FOUND.LNK_OFFER_INVALID.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND.LNK_PRODUCT_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_MOVING.LNK_IDEMPOTENCY_KEY_RUNNING"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_MISSING.LNK_CAPABILITY_NOT_SUPPORTED.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateOfferFields: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                connectionId: string;
                offerId: string;
            };
            cookie?: never;
        };
        /** @description At least one member. Texts of at most 80000 characters */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "price": {
                 *         "amount": "14.90",
                 *         "currency": "EUR"
                 *       },
                 *       "title": "Red mug, 300 ml"
                 *     }
                 */
                "application/json": {
                    price?: {
                        amount: string;
                        currency: string;
                    };
                    title?: string;
                    description?: {
                        sections: {
                            items: {
                                /** @enum {string} */
                                type: "TEXT";
                                content: string;
                            }[];
                        }[];
                    };
                    /** @description Change the price also by 30 % or more. Without it, the answer is 409 with the old and new price */
                    confirm?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobReference"];
                };
            };
            400: components["responses"]["LNK_CONNECTION_DISABLED.LNK_CREDENTIALS_NOT_FOUND.LNK_OFFER_INVALID.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND.LNK_OFFER_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_MOVING.LNK_IDEMPOTENCY_KEY_RUNNING.LNK_PRICE_NOT_CONFIRMED"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_MISSING.LNK_CAPABILITY_NOT_SUPPORTED.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    endOffer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                connectionId: string;
                offerId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobReference"];
                };
            };
            400: components["responses"]["LNK_CONNECTION_DISABLED.LNK_CREDENTIALS_NOT_FOUND.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND.LNK_OFFER_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_MOVING.LNK_IDEMPOTENCY_KEY_RUNNING"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_MISSING.LNK_CAPABILITY_NOT_SUPPORTED.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createOffers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "connectionId": "0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41",
                 *       "items": [
                 *         {
                 *           "variantId": "5b1c2d3e-4f50-5a61-8b72-9c83ad94be05",
                 *           "price": {
                 *             "amount": "14.90",
                 *             "currency": "EUR"
                 *           }
                 *         },
                 *         {
                 *           "productId": "6c2d3e4f-5061-5b72-9c83-ad94be05cf16"
                 *         }
                 *       ],
                 *       "defaults": {
                 *         "publishImmediately": true
                 *       }
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    connectionId: string;
                    /** @description Each names a variant, or a product with all of its variants */
                    items: {
                        /** Format: uuid */
                        variantId?: string;
                        /** Format: uuid */
                        productId?: string;
                        /** @description First quantity of the offer; default: that of the master. The next change of the master replaces it */
                        stock?: number;
                        price?: {
                            amount: string;
                            currency: string;
                        };
                        /** @description Whether buyers can buy the offer at once. Default true */
                        publishImmediately?: boolean;
                        /** @description Values of the offer that replace those of the shop */
                        overrides?: {
                            title?: string;
                            description?: {
                                sections: {
                                    items: {
                                        /** @enum {string} */
                                        type: "TEXT";
                                        content: string;
                                    }[];
                                }[];
                            };
                            imageUrls?: string[];
                            dispatchTime?: {
                                /**
                                 * Unit of the handling time
                                 * @enum {string}
                                 */
                                unit: "hour" | "day" | "month";
                                /** Number of units */
                                period: number;
                            };
                        };
                    }[];
                    defaults?: {
                        /** @description First quantity of the offer; default: that of the master. The next change of the master replaces it */
                        stock?: number;
                        price?: {
                            amount: string;
                            currency: string;
                        };
                        /** @description Whether buyers can buy the offer at once. Default true */
                        publishImmediately?: boolean;
                        /** @description Values of the offer that replace those of the shop */
                        overrides?: {
                            title?: string;
                            description?: {
                                sections: {
                                    items: {
                                        /** @enum {string} */
                                        type: "TEXT";
                                        content: string;
                                    }[];
                                }[];
                            };
                            imageUrls?: string[];
                            dispatchTime?: {
                                /**
                                 * Unit of the handling time
                                 * @enum {string}
                                 */
                                unit: "hour" | "day" | "month";
                                /** Number of units */
                                period: number;
                            };
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchCreation"];
                };
            };
            400: components["responses"]["LNK_CONNECTION_DISABLED.LNK_CREDENTIALS_NOT_FOUND.LNK_OFFER_INVALID.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND.LNK_PRODUCT_NOT_FOUND.LNK_VARIANT_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_MOVING.LNK_IDEMPOTENCY_KEY_RUNNING"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_MISSING.LNK_CAPABILITY_NOT_SUPPORTED.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfferBatch"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_BATCH_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                batchId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobIds": [
                     *         "9f506172-8394-5ea5-8fb6-d027e138f249",
                     *         "a0617283-94a5-5fb6-90c7-e138f24a035b"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        jobIds: string[];
                    };
                };
            };
            400: components["responses"]["LNK_CONNECTION_DISABLED.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_BATCH_NOT_FOUND.LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryOrders: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "connectionId": "0198c3a1-3a7d-7c1f-8b52-7e6a9f2d3c41",
                 *         "status": [
                 *           "failed"
                 *         ]
                 *       },
                 *       "dryRun": true
                 *     }
                 */
                "application/json": {
                    /** @description Which orders; one member at least */
                    filter: {
                        /** Format: uuid */
                        connectionId?: string;
                        status?: ("awaiting_mapping" | "failed")[];
                        /** @description Code of one of its problems, such as `not-created`; `byGroup` of a dry run names the codes */
                        code?: string;
                        /** @description Id of the order at its marketplace */
                        externalId?: string;
                        /**
                         * Format: date-time
                         * @description First read at this time or later
                         */
                        since?: string;
                        /**
                         * Format: date-time
                         * @description First read before this time
                         */
                        until?: string;
                    };
                    /**
                     * Format: uuid
                     * @description Only the orders behind this one: `next` of an answer to the same filter
                     */
                    after?: string;
                    /**
                     * @description Only tells what a retry would do
                     * @default false
                     */
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderRetrySummary"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderRetrySummary"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_ORDER_NOT_FOUND"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL.LNK_HUB_STOPPING"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forgetOrder: {
        parameters: {
            query?: {
                /** @description Changes nothing; answers what would be removed and what stands in the way */
                dryRun?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonalDataRemoval"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_ORDER_NOT_FOUND"];
            409: components["responses"]["LNK_ORDER_STATE"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOrders: {
        parameters: {
            query?: {
                connectionId?: string;
                status?: "pending" | "awaiting_mapping" | "ready" | "created" | "shipped" | "delivered" | "cancelled" | "returned" | "failed" | "elsewhere";
                /** @description Id of the order at its marketplace */
                externalId?: string;
                /** @description Only orders that the hub first read at this time or later */
                since?: string;
                /** @description Only orders with a problem of this code, such as `not-created`; `any`: with any problem */
                problem?: string;
                /** @description Lists the orders that the hub read last first; otherwise the first ones */
                newestFirst?: boolean;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderSummary"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_ORDER_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobIds": [
                     *         "9f506172-8394-5ea5-8fb6-d027e138f249"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        jobIds: string[];
                    };
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_ORDER_NOT_FOUND"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING.LNK_ORDER_STATE"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobIds": [
                     *         "9f506172-8394-5ea5-8fb6-d027e138f249"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        jobIds: string[];
                    };
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_ORDER_NOT_FOUND"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING.LNK_ORDER_STATE"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    releaseOrder: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobIds": [
                     *         "9f506172-8394-5ea5-8fb6-d027e138f249"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        jobIds: string[];
                    };
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_ORDER_NOT_FOUND"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING.LNK_ORDER_STATE"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    settleOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_ORDER_NOT_FOUND"];
            409: components["responses"]["LNK_ORDER_STATE"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sweepOrders: {
        parameters: {
            query?: {
                /** @description Orders that changed at this time or later; absent: those of the last 60 days */
                updatedSince?: string;
            };
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "9f506172-8394-5ea5-8fb6-d027e138f249"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        jobId: string;
                    };
                };
            };
            400: components["responses"]["LNK_CONNECTION_DISABLED.LNK_CREDENTIALS_NOT_FOUND.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_CONNECTION_MOVING.LNK_IDEMPOTENCY_KEY_RUNNING"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_MISSING.LNK_CAPABILITY_NOT_SUPPORTED.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRoutingCandidates: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutingCandidate"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_CAPABILITY_NOT_SUPPORTED.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readRoutingRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutingRules"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_CAPABILITY_NOT_SUPPORTED.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replaceRoutingRules: {
        parameters: {
            query?: never;
            header?: {
                "if-match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "items": [
                 *         {
                 *           "sourceDeliveryMethodId": "courier",
                 *           "processorKind": "hub_managed_carrier",
                 *           "processorConnectionId": "0198c3a1-4b8e-7d20-9c63-8f7ba03e4d52"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RoutingRules"];
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutingRules"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            412: components["responses"]["LNK_PRECONDITION_FAILED"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_CAPABILITY_NOT_SUPPORTED.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    resolveRoute: {
        parameters: {
            query: {
                deliveryMethodId: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Route"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_CAPABILITY_NOT_SUPPORTED.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDeliveryMethods: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "courier",
                     *         "name": "Courier"
                     *       }
                     *     ]
                     */
                    "application/json": {
                        id: string;
                        name: string;
                        cashOnDelivery?: boolean;
                    }[];
                };
            };
            400: components["responses"]["LNK_ADAPTER_REJECTED.LNK_CONNECTION_DISABLED.LNK_CREDENTIALS_NOT_FOUND.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_ADAPTER_NOT_FOUND.LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_CAPABILITY_PAUSED.LNK_CONNECTION_MOVING.LNK_CONNECTION_PAUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_CONFIGURATION.LNK_ADAPTER_FAILED.LNK_ADAPTER_MISSING.LNK_CAPABILITY_NOT_SUPPORTED.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            502: components["responses"]["LNK_ADAPTER_AUTHENTICATION.LNK_ADAPTER_CRASHED.LNK_ADAPTER_OUTCOME_UNKNOWN"];
            503: components["responses"]["LNK_ADAPTER_RATE_LIMITED.LNK_ADAPTER_TRANSIENT.LNK_ADAPTER_UNAVAILABLE.LNK_ADAPTER_WRITE_UNDER_WAY.LNK_CAPABILITY_UNAVAILABLE.LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL.LNK_PLATFORM_UNAVAILABLE"];
            504: components["responses"]["LNK_ADAPTER_TIMEOUT"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readShipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Shipment"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_ORDER_NOT_FOUND.LNK_SHIPMENT_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readLabel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The label */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": unknown;
                };
            };
            400: components["responses"]["LNK_ADAPTER_REJECTED.LNK_CONNECTION_DISABLED.LNK_CREDENTIALS_NOT_FOUND.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_ADAPTER_NOT_FOUND.LNK_CONNECTION_NOT_FOUND.LNK_LABEL_NOT_FOUND.LNK_ORDER_NOT_FOUND.LNK_SHIPMENT_NOT_FOUND"];
            409: components["responses"]["LNK_CAPABILITY_PAUSED.LNK_CONNECTION_MOVING.LNK_CONNECTION_PAUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_CONFIGURATION.LNK_ADAPTER_FAILED.LNK_ADAPTER_MISSING.LNK_CONFIG_INVALID.LNK_CREDENTIAL_STORE_NOT_AVAILABLE.LNK_INTERNAL"];
            502: components["responses"]["LNK_ADAPTER_AUTHENTICATION.LNK_ADAPTER_CRASHED.LNK_ADAPTER_OUTCOME_UNKNOWN"];
            503: components["responses"]["LNK_ADAPTER_RATE_LIMITED.LNK_ADAPTER_TRANSIENT.LNK_ADAPTER_UNAVAILABLE.LNK_ADAPTER_WRITE_UNDER_WAY.LNK_CAPABILITY_UNAVAILABLE.LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL.LNK_PLATFORM_UNAVAILABLE"];
            504: components["responses"]["LNK_ADAPTER_TIMEOUT"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryJobs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
                 *         "code": "LNK_ADAPTER_TRANSIENT"
                 *       },
                 *       "first": 1,
                 *       "perMinute": 60
                 *     }
                 */
                "application/json": {
                    /** @description Which dead jobs; one member at least. A job has to meet all of them */
                    filter: {
                        /** Format: uuid */
                        connectionId?: string;
                        jobType?: string;
                        /** @description Code of the problem for which the job died, waits or was cancelled */
                        code?: string;
                        /** @description The `objectKey` of a job: all jobs of its object */
                        objectKey?: string;
                        /**
                         * Format: uuid
                         * @description Jobs about this offer alone
                         */
                        offerId?: string;
                        /**
                         * Format: uuid
                         * @description Jobs that tell a shop, a marketplace or a carrier about this order
                         */
                        orderId?: string;
                        /**
                         * Format: date-time
                         * @description Made at this time or later
                         */
                        since?: string;
                        /**
                         * Format: date-time
                         * @description Made before this time
                         */
                        until?: string;
                        /** @description Only these jobs. Those that are not dead, or do not meet the other members, are skipped */
                        jobIds?: string[];
                    };
                    /**
                     * @description Changes nothing; answers what a redrive would do
                     * @default false
                     */
                    dryRun?: boolean;
                    /** @description Runs so many jobs, waits for their ends, and then for `POST /redrives/{id}/continue` */
                    first?: number;
                    /** @description Runs at most so many jobs again in a minute. Default: as fast as the hub can */
                    perMinute?: number;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedrivePlan"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedriveStarted"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelDeadJobs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "filter": {
                 *         "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
                 *         "code": "LNK_ADAPTER_TRANSIENT"
                 *       },
                 *       "dryRun": true,
                 *       "reason": "the products were removed"
                 *     }
                 */
                "application/json": {
                    /** @description Which dead jobs; one member at least. A job has to meet all of them */
                    filter: {
                        /** Format: uuid */
                        connectionId?: string;
                        jobType?: string;
                        /** @description Code of the problem for which the job died, waits or was cancelled */
                        code?: string;
                        /** @description The `objectKey` of a job: all jobs of its object */
                        objectKey?: string;
                        /**
                         * Format: uuid
                         * @description Jobs about this offer alone
                         */
                        offerId?: string;
                        /**
                         * Format: uuid
                         * @description Jobs that tell a shop, a marketplace or a carrier about this order
                         */
                        orderId?: string;
                        /**
                         * Format: date-time
                         * @description Made at this time or later
                         */
                        since?: string;
                        /**
                         * Format: date-time
                         * @description Made before this time
                         */
                        until?: string;
                        /** @description Only these jobs. Those that are not dead, or do not meet the other members, are skipped */
                        jobIds?: string[];
                    };
                    /**
                     * @description Changes nothing; answers which jobs would be cancelled
                     * @default false
                     */
                    dryRun?: boolean;
                    /** @description Shown in the problem of the job and in the audit */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelDeadResult"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRedrives: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redrive"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readRedrive: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redrive"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_REDRIVE_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    continueRedrive: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redrive"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_REDRIVE_NOT_FOUND"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING.LNK_REDRIVE_ENDED.LNK_REDRIVE_TRYING"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stopRedrive: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Redrive"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_REDRIVE_NOT_FOUND"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING.LNK_REDRIVE_ENDED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listJobs: {
        parameters: {
            query?: {
                connectionId?: string;
                jobType?: string;
                status?: "queued" | "running" | "waiting" | "succeeded" | "dead" | "cancelled";
                requestId?: string;
                /** @description Code of the problem for which the job died, waits or was cancelled */
                code?: string;
                /** @description The `objectKey` of a job: all jobs of its object */
                objectKey?: string;
                /** @description Jobs about this offer alone */
                offerId?: string;
                /** @description Jobs that tell a shop, a marketplace or a carrier about this order */
                orderId?: string;
                /** @description Made at this time or later */
                since?: string;
                /** @description Made before this time */
                until?: string;
                /** @description Also shows the requests to platforms. Only with `requestId`, because all jobs would be too many */
                calls?: boolean;
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jobType": "myshop.price.syncByExternalId",
                 *       "connectionId": "0198c3a1-2f6c-7b0e-9a41-6d5f8e1c2b30",
                 *       "payload": {
                 *         "externalId": "27"
                 *       }
                 *     }
                 */
                "application/json": {
                    jobType: string;
                    /** Format: uuid */
                    connectionId: string;
                    /**
                     * @description The members by job type; those with `?` may be left out:
                     *
                     *     - `master.product.syncByExternalId`: `externalId`
                     *     - `master.inventory.syncByExternalId`: `externalId`
                     *     - `master.inventory.syncAll`: none
                     *     - `inventory.propagateToMarketplaces`: `variantId`
                     *     - `inventory.readAgain`: `externalId`, `jobType`
                     *     - `marketplace.offerQuantity.update`: `offerId`
                     *     - `marketplace.offers.sync`: `offerId?` (one offer alone)
                     *     - `marketplace.offer.create`: `offerId`, `offer`
                     *     - `marketplace.offer.updateFields`: `offerId`, `fields`
                     *     - `marketplace.offer.end`: `offerId`
                     *     - `marketplace.orders.poll`: none
                     *     - `master.orders.poll`: none
                     *     - `marketplace.orders.sweep`: `updatedSince?` (only orders that changed at this time or later; without it and `days`, of the last 60 days), `days?` (without `updatedSince`, only orders that changed within so many days and since the connection was made)
                     *     - `marketplace.order.syncByExternalId`: `externalId`
                     *     - `marketplace.order.updateStatus`: `orderId`, `status` (processing, shipped, delivered, cancelled)
                     *     - `marketplace.order.addTracking`: `orderId`
                     *     - `master.order.create`: `orderId`
                     *     - `master.order.cancel`: `orderId`
                     *     - `master.order.update`: `orderId`
                     *     - `master.order.addTracking`: `orderId`
                     *     - `fulfilment.shipment.create`: `orderId`
                     *     - `fulfilment.shipment.cancel`: `orderId`
                     *
                     *     The job types of an adapter have members of their own.
                     */
                    payload?: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "jobId": "9f506172-8394-5ea5-8fb6-d027e138f249"
                     *     }
                     */
                    "application/json": {
                        /** Format: uuid */
                        jobId: string;
                    };
                };
            };
            400: components["responses"]["LNK_CONNECTION_DISABLED.LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_ADAPTER_MISSING.LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    countJobs: {
        parameters: {
            query?: {
                status?: "dead" | "waiting";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobGroups"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readJob: {
        parameters: {
            query?: {
                /** @description Seconds */
                wait?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_JOB_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND.LNK_JOB_NOT_FOUND"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING.LNK_JOB_QUEUED.LNK_JOB_RUNNING.LNK_JOB_SUCCEEDED.LNK_JOB_TYPE_UNKNOWN.LNK_JOB_WAITING"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: {
                /** @description Key that the client makes for one intent. For 24 hours, a repeated request with the same key gets the answer to the first one */
                "idempotency-key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "the product was removed"
                 *     }
                 */
                "application/json": {
                    /** @description Shown in the problem of the job and in the audit */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_JOB_NOT_FOUND"];
            409: components["responses"]["LNK_IDEMPOTENCY_KEY_RUNNING.LNK_JOB_CANCELLED.LNK_JOB_SUCCEEDED"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            422: components["responses"]["LNK_IDEMPOTENCY_KEY_REUSED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                connectionId?: string;
                /** @description Number of connections; each comes with all of its schedules */
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    /** @description `<…>; rel="next"`: the next page, when there may be one */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "every": "30m",
                 *       "enabled": true
                 *     }
                 */
                "application/json": {
                    /** @description Such as `30s`, `2m`, `6h` or `1d`; null restores the default */
                    every?: string | null;
                    enabled?: boolean;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND.LNK_SCHEDULE_NOT_FOUND"];
            413: components["responses"]["LNK_PAYLOAD_TOO_LARGE"];
            415: components["responses"]["LNK_MEDIA_TYPE_UNSUPPORTED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    diagnoseConnection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Diagnostics"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readFigures: {
        parameters: {
            query?: {
                /** @description Beginning, at most 90 days ago; default: 24 hours before `to` */
                from?: string;
                /** @description End; default: now */
                to?: string;
                /** @description Seconds of a slot. At most 1500 slots are answered, and slots below an hour only for the last 48 hours; default: one that makes at most 360 slots */
                step?: number;
                connectionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Columns with one value for each slot */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Figures"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            404: components["responses"]["LNK_CONNECTION_NOT_FOUND"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    search: {
        parameters: {
            query: {
                /** @description An id or its first 8 characters or more, an id at a marketplace or in a shop, an SKU, an EAN, a request id, the id that a sender gave an event, or the beginning of an SKU or of a name; ids of the hub, SKUs and names in any case */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchResult"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAttention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttentionItem"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alerts"];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testAlerts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertTest"][];
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            409: components["responses"]["LNK_ALERTS_NOT_CONFIGURED"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    streamHints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events: `event: changed`, `data: {"kind":"jobs"}`; other kinds are connections, orders and attention. A comment comes every 15 s */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example event: changed
                     *     data: {"kind":"jobs"}
                     */
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_FORBIDDEN"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL.LNK_EVENT_STREAMS_FULL.LNK_HUB_STOPPING"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    takeBackup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description JSON lines, compressed with gzip. The last line says `"complete":true` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example (bytes of a gzip file) */
                    "application/gzip": string;
                };
            };
            400: components["responses"]["LNK_REQUEST_INVALID"];
            401: components["responses"]["LNK_UNAUTHORIZED"];
            403: components["responses"]["LNK_CROSS_ORIGIN.LNK_FORBIDDEN"];
            409: components["responses"]["LNK_BACKUP_RUNNING"];
            429: components["responses"]["LNK_TOKEN_FAILURES"];
            500: components["responses"]["LNK_INTERNAL"];
            503: components["responses"]["LNK_DATABASE_UNAVAILABLE.LNK_DISK_FULL"];
            507: components["responses"]["LNK_BACKUP_NO_ROOM"];
            /** @description A problem (RFC 9457) */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
