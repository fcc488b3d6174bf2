/** Made from docs/openapi.json by `npm run openapi`; change the API instead. */

export interface components {
    schemas: {
        Account: {
            active: boolean;
            business_account_id: string;
            /** Format: date-time */
            created_at: string;
            display_phone_number: string;
            /** @description The platform's code that led to the hold. */
            hold_code: number | null;
            /**
             * @description `paused`: the platform refuses everything from the number; `throttled`: it gets too much; or null.
             * @enum {string|null}
             */
            hold_kind: "paused" | "throttled" | null;
            hold_reason: string | null;
            /**
             * Format: date-time
             * @description When the number is tried again. ISO 8601.
             */
            hold_until: string | null;
            id: string;
            /** @description How many messages a second the number may send; null: without limit. */
            messages_per_second: number | null;
            name: string;
            phone_number_id: string;
            /** Format: date-time */
            updated_at: string;
        };
        AccountAnswer: {
            account: components["schemas"]["Account"];
        };
        AccountChange: {
            /** @description Write-only. */
            access_token?: string;
            active?: boolean;
            /** @description Write-only. */
            app_secret?: string;
            business_account_id?: string;
            display_phone_number?: string;
            /** @description 1 to 10,000; null: without limit. */
            messages_per_second?: number | null;
            /** @description 1 to 100 characters; unique. */
            name?: string;
            phone_number_id?: string;
        };
        /** @description The linked WhatsApp business account is not active. */
        AccountNotActiveError: {
            /** @constant */
            code: "ACCOUNT_NOT_ACTIVE";
            details?: Record<string, never>;
            message: string;
        };
        Accounts: {
            accounts: components["schemas"]["Account"][];
        };
        Alert: {
            account_id: string;
            /** Format: date-time */
            created_at: string;
            details: Record<string, never>;
            id: string;
            /** @description What it is about, such as `number_paused`. */
            kind: string;
            message: string;
            /**
             * Format: date-time
             * @description Null while it is open.
             */
            resolved_at: string | null;
            subject: string;
        };
        AlertAnswer: {
            alert: components["schemas"]["Alert"];
        };
        Alerts: {
            alerts: components["schemas"]["Alert"][];
        };
        ApiKey: {
            account_id: string;
            active: boolean;
            allowed_ips: string[];
            /** Format: date-time */
            created_at: string;
            daily_limit: number;
            description: string | null;
            /** @description The key's prefix with the first and last four characters of its random part. */
            display: string;
            /** Format: date-time */
            expires_at: string | null;
            id: string;
            last_used_address: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            /** @enum {string} */
            mode: "live" | "test";
            name: string;
            permissions: ("manage_contacts" | "send_media" | "send_template" | "send_text" | "view_messages" | "view_templates")[];
            /**
             * Format: date-time
             * @description Until when a key from before a rotation still works; null when none does.
             */
            previous_key_expires_at: string | null;
            rate_limit_per_minute: number;
            require_signature: boolean;
            /** Format: date-time */
            revoked_at: string | null;
            /** @enum {string} */
            state: "active" | "expired" | "inactive" | "revoked" | "suspended";
            /** Format: date-time */
            suspended_at: string | null;
            suspended_reason: string | null;
            /** Format: date-time */
            updated_at: string;
            webhook: components["schemas"]["Webhook"];
        };
        ApiKeyAnswer: {
            api_key: components["schemas"]["ApiKey"];
        };
        ApiKeyChange: {
            /** @description Default: true. An inactive key is refused until it is switched on again. */
            active?: boolean | null;
            /** @description Addresses or CIDR ranges, IPv4 and IPv6, up to 100; none means any. */
            allowed_ips?: string[] | null;
            /** @description 1 to 1,000,000,000; default 10,000. */
            daily_limit?: number | null;
            /** @description At most 500 characters. */
            description?: string | null;
            /** @description ISO 8601, in the future, at most 9999-12-31T23:59:59Z; default: never. */
            expires_at?: string | null;
            /** @description 1 to 100 characters; unique in the account, whatever their case. Space around it is left out. */
            name?: string;
            /** @description At least one of send_template, send_text, send_media, view_templates, view_messages, manage_contacts. */
            permissions?: ("manage_contacts" | "send_media" | "send_template" | "send_text" | "view_messages" | "view_templates")[];
            /** @description 1 to 1,000,000,000; default 60. */
            rate_limit_per_minute?: number | null;
            /** @description Default: false. Whether requests without a signature are refused. */
            require_signature?: boolean | null;
            /** @description `message.received`, `message.status`, `webhook.test`, which are the default, and `contact.changed`. */
            webhook_events?: ("contact.changed" | "message.received" | "message.status" | "webhook.test")[] | null;
            /** @description http or https, at most 2,048 characters. Where events go; default: nowhere. */
            webhook_url?: string | null;
        };
        ApiKeyUsage: {
            /** @description 24 hours, the oldest first; the last one is the present hour. */
            calls_by_hour: components["schemas"]["HourlyCalls"][];
            calls_last_24h: number;
            day: components["schemas"]["WindowUsage"];
            last_used_address: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            minute: components["schemas"]["WindowUsage"];
        };
        ApiKeys: {
            api_keys: components["schemas"]["ApiKey"][];
        };
        Attempt: {
            detail: string | null;
            duration_ms: number;
            /** @description The platform's code, or null. */
            error_code: number | null;
            http_status: number | null;
            /** @description From 1. */
            number: number;
            /** @description What came of it, in one word. */
            outcome: string;
            /** Format: date-time */
            started_at: string;
        };
        AuditEntries: {
            entries: components["schemas"]["AuditEntry"][];
            next_cursor: string | null;
        };
        AuditEntry: {
            account_id: string | null;
            /** @description Subject and past participle, such as `api_key.revoked`. */
            action: string;
            /** @description The user's email address at that time, or the name of what acted. */
            actor: string;
            /** @description Where the request came from. */
            address: string | null;
            /** Format: date-time */
            at: string;
            /** @description What changed, without secrets. */
            details: Record<string, never>;
            id: string;
            subject_id: string | null;
            subject_name: string | null;
            subject_type: string;
            user_id: string | null;
        };
        BrokenMapping: {
            api_key_id: string;
            api_key_name: string;
            language: string;
            /** @description What does not fit. */
            reason: string;
            template_id: string;
            template_name: string;
        };
        ButtonHeader: {
            document?: components["schemas"]["DocumentLink"] | null;
            image?: components["schemas"]["MediaLink"] | null;
            /** @description At most 60 characters. */
            text?: string | null;
            /** @enum {string} */
            type: "text" | "image" | "video" | "document";
            video?: components["schemas"]["MediaLink"] | null;
        };
        ButtonMessage: {
            /** @description At most 1,024 characters. */
            body: string;
            /** @description 1 to 3 buttons. */
            buttons: components["schemas"]["ReplyButton"][];
            /** @description At most 60 characters. */
            footer?: string | null;
            header?: components["schemas"]["ButtonHeader"] | null;
            /** @description Your own reference; it comes back with every event of the message. At most 100 characters. */
            reference?: string | null;
            /**
             * @description The recipient in E.164 form, such as +14155550123. Required without `to_user_id`; with both, the message goes
             *     to this number.
             */
            to?: string | null;
            /** @description The recipient's business-scoped user id, such as US.13491208655302741918: for users who hide their number. */
            to_user_id?: string | null;
        } | {
            to: unknown;
        } | {
            to_user_id: unknown;
        };
        ChangePassword: {
            current_password: string;
            /** @description 12 to 128 characters. */
            new_password: string;
        };
        /** @description The current state does not allow this. */
        ConflictError: {
            /** @constant */
            code: "CONFLICT";
            details?: Record<string, never>;
            message: string;
        };
        Contact: {
            /** @description UUID. */
            contact_id: string;
            /** @description ISO 3166-1 code of the country, as the user id has it; null without one. */
            country: string | null;
            /**
             * Format: date-time
             * @description When the user last wrote, by WhatsApp's time; null if they never did.
             */
            last_inbound_at: string | null;
            /** @description The name of the profile. */
            name: string | null;
            /** @description The user's id for all businesses of your portfolio; null without one. */
            parent_user_id: string | null;
            /** @description E.164; null if the user hides it. */
            phone: string | null;
            /** @description The business-scoped user id; null until WhatsApp has told it. */
            user_id: string | null;
            username: string | null;
        };
        ContactAnswer: {
            contact: components["schemas"]["Contact"];
        };
        /** @description A user has another number or another user id, or two contacts are one. Only endpoints that name this event get it. */
        ContactChangedEvent: {
            data: {
                /**
                 * @description `phone` also if the user id has changed with it.
                 * @enum {string}
                 */
                change: "phone" | "user_id" | "merged";
                /**
                 * Format: uuid
                 * @description The contact that stays.
                 */
                contact_id: string;
                current: {
                    /**
                     * Format: uuid
                     * @description Of `merged` only.
                     */
                    contact_id?: string;
                    /** @description E.164; null if it is not known. */
                    phone: string | null;
                    /** @description The business-scoped user id; null if it is not known. */
                    user_id: string | null;
                };
                previous: {
                    /**
                     * Format: uuid
                     * @description Of `merged` only.
                     */
                    contact_id?: string;
                    /** @description E.164; null if it is not known. */
                    phone: string | null;
                    /** @description The business-scoped user id; null if it is not known. */
                    user_id: string | null;
                };
            };
            /** @constant */
            event: "contact.changed";
            /**
             * Format: date-time
             * @description ISO 8601 in UTC.
             */
            timestamp: string;
        };
        Contacts: {
            contacts: components["schemas"]["Contact"][];
            /** @description Null on the last page. */
            next_cursor: string | null;
        };
        CreatedApiKey: {
            api_key: components["schemas"]["ApiKey"];
            /** @description For the header X-API-Key. */
            key: string;
            /** @description For signed requests. */
            signing_secret: string;
            /** @description For checking what we send to the webhook. */
            webhook_secret: string;
        };
        /** @description The daily quota of the API key is used up. Repeating the request later can succeed. */
        DailyLimitExceededError: {
            /** @constant */
            code: "DAILY_LIMIT_EXCEEDED";
            details?: {
                /** @description As in `Retry-After`. */
                retry_after?: number;
            };
            message: string;
        };
        DashboardMessage: {
            account_id: string;
            api_key_id: string;
            /** @description Null when the key is deleted. */
            api_key_name: string | null;
            /** @description The contact that it is for; null while none is known. */
            contact_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            delivered_at: string | null;
            /** @description Why it failed, or null. */
            error: components["schemas"]["MessageError"] | null;
            /** Format: date-time */
            failed_at: string | null;
            /** @description Whether the platform has accepted it and holds it to assess the quality of its template. */
            held: boolean;
            /** @description UUID. */
            message_id: string;
            /** @enum {string} */
            mode: "live" | "test";
            /** @description The platform's id of the message; null until it has accepted it. */
            platform_message_id: string | null;
            /** @description What it costs, as the platform reports with its statuses; null until then. */
            pricing: components["schemas"]["Pricing"] | null;
            /** Format: date-time */
            read_at: string | null;
            /** @description Your own reference, as it was given when sending. */
            reference: string | null;
            /** @description The message that this one was sent again for, or null. */
            resent_from: string | null;
            /** Format: date-time */
            sent_at: string | null;
            /** @enum {string} */
            status: "delivered" | "failed" | "queued" | "read" | "sending" | "sent" | "unconfirmed";
            /** @description The beginning of what it says. */
            text: string;
            /** @description The recipient in E.164 form; null if you gave a user id alone. */
            to: string | null;
            /** @description The recipient's user id as you gave it; null if you gave none. */
            to_user_id: string | null;
            /** @enum {string} */
            type: "button" | "list" | "media" | "template" | "text";
        };
        DashboardMessageDetail: {
            account_id: string;
            api_key_id: string;
            /** @description Null when the key is deleted. */
            api_key_name: string | null;
            /** @description The calls to the platform, oldest first. */
            attempts: components["schemas"]["Attempt"][];
            /** @description The contact that it is for; null while none is known. */
            contact: components["schemas"]["Contact"] | null;
            /** @description The contact that it is for; null while none is known. */
            contact_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            delivered_at: string | null;
            /** @description Why it failed, or null. */
            error: components["schemas"]["MessageError"] | null;
            /** Format: date-time */
            failed_at: string | null;
            /** @description Whether the platform has accepted it and holds it to assess the quality of its template. */
            held: boolean;
            /** @description UUID. */
            message_id: string;
            /** @enum {string} */
            mode: "live" | "test";
            /** @description The platform's id of the message; null until it has accepted it. */
            platform_message_id: string | null;
            /** @description What is sent to the platform; null when it is no longer kept. */
            platform_payload: {
                [key: string]: unknown;
            } | null;
            /** @description What it costs, as the platform reports with its statuses; null until then. */
            pricing: components["schemas"]["Pricing"] | null;
            /** Format: date-time */
            read_at: string | null;
            /** @description Your own reference, as it was given when sending. */
            reference: string | null;
            /** @description The message that this one was sent again as, or null. */
            resent_as: string | null;
            /** @description The message that this one was sent again for, or null. */
            resent_from: string | null;
            /** Format: date-time */
            sent_at: string | null;
            /** @enum {string} */
            status: "delivered" | "failed" | "queued" | "read" | "sending" | "sent" | "unconfirmed";
            /** @description The beginning of what it says. */
            text: string;
            /** @description Every status that it has had, oldest first. */
            timeline: components["schemas"]["StatusChange"][];
            /** @description The recipient in E.164 form; null if you gave a user id alone. */
            to: string | null;
            /** @description The recipient's user id as you gave it; null if you gave none. */
            to_user_id: string | null;
            /** @enum {string} */
            type: "button" | "list" | "media" | "template" | "text";
        };
        DashboardMessages: {
            messages: components["schemas"]["DashboardMessage"][];
            /** @description Null on the last page. */
            next_cursor: string | null;
        };
        DashboardTemplate: {
            account_id: string;
            category: string;
            components: Record<string, never>[];
            /** @description Whether some key has a mapping that fits. */
            configured: boolean;
            id: string;
            language: string;
            /** Format: date-time */
            last_synced_at: string;
            /** @enum {string} */
            mode: "live" | "test";
            name: string;
            parameter_format: string;
            /** @description What a mapping can fill. */
            parameters: components["schemas"]["TemplateParameter"][];
            quality_score: string | null;
            rejected_reason: string | null;
            status: string;
        };
        DashboardTemplateAnswer: {
            mappings: components["schemas"]["TemplateMappingState"][];
            template: components["schemas"]["DashboardTemplate"];
        };
        DashboardTemplates: {
            next_cursor: string | null;
            syncs: components["schemas"]["TemplateSyncState"][];
            templates: components["schemas"]["DashboardTemplate"][];
        };
        Deliveries: {
            deliveries: components["schemas"]["Delivery"][];
            next_cursor: string | null;
        };
        Delivery: {
            account_id: string;
            api_key_id: string;
            /** @description Null when the key is deleted. */
            api_key_name: string | null;
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** Format: date-time */
            created_at: string;
            /** @description Why the last attempt failed, or why none is made: `endpoint_off`, `key_revoked`, `no_endpoint`. */
            error: string | null;
            /** @enum {string} */
            event: "contact.changed" | "message.received" | "message.status" | "webhook.test";
            /** Format: date-time */
            finished_at: string | null;
            id: string;
            /** @description The message of ours that it is about: its status changed, or it was answered. */
            message_id: string | null;
            /** @enum {string} */
            mode: "live" | "test";
            /**
             * Format: date-time
             * @description Null when no further attempt is planned.
             */
            next_attempt_at: string | null;
            /** @enum {string} */
            status: "failed" | "pending" | "retrying" | "succeeded";
            /** @description What it says in a few words: the status, or what the user wrote; null where that is nothing. */
            summary: string | null;
            /** @description Where the next attempt goes: the webhook of the key as it is now, or null. */
            url: string | null;
            /** @description What the receiver sees as `webhook-id`. */
            webhook_id: string;
        };
        DeliveryAnswer: {
            body: string;
            delivery: components["schemas"]["Delivery"];
        };
        DeliveryAttempt: {
            /** Format: date-time */
            at: string;
            duration_ms: number;
            /** @description `http_500`, `timeout`, `dns`, `connect`, `tls`, `reset`, `blocked_address`; null on success. */
            error: string | null;
            /** @description From 1. */
            number: number;
            /** @description The first 1 KiB of the answer. */
            response: string | null;
            /** @description Null when there was no answer. */
            status_code: number | null;
        };
        DocumentLink: {
            /** @description The name that the recipient sees, at most 240 characters. Default: the last part of the link's path. */
            filename?: string | null;
            /** @description http or https, at most 2,048 characters; WhatsApp fetches it. */
            link: string;
        };
        /** @description The API key has expired. */
        ExpiredApiKeyError: {
            /** @constant */
            code: "EXPIRED_API_KEY";
            details?: Record<string, never>;
            message: string;
        };
        /** @description You are not allowed to do this. */
        ForbiddenError: {
            /** @constant */
            code: "FORBIDDEN";
            details?: Record<string, never>;
            message: string;
        };
        HourlyCalls: {
            calls: number;
            /**
             * Format: date-time
             * @description The beginning of the hour, in UTC.
             */
            hour: string;
            /** @description How many of the calls were answered with an error. */
            refused: number;
        };
        /** @description The idempotency key was used before with another request body. */
        IdempotencyKeyReusedError: {
            /** @constant */
            code: "IDEMPOTENCY_KEY_REUSED";
            details?: {
                message_id?: string;
            };
            message: string;
        };
        /** @description An unexpected error occurred. Repeating the request later can succeed. */
        InternalError: {
            /** @constant */
            code: "INTERNAL_ERROR";
            details?: Record<string, never>;
            message: string;
        };
        /** @description The API key is unknown or malformed. */
        InvalidApiKeyError: {
            /** @constant */
            code: "INVALID_API_KEY";
            details?: {
                /** @description `inactive` if the key is switched off. */
                reason?: string;
            };
            message: string;
        };
        /** @description The phone number is not in E.164 form: + and 7 to 15 digits. */
        InvalidPhoneNumberError: {
            /** @constant */
            code: "INVALID_PHONE_NUMBER";
            details?: {
                /** @description Path of each violated field, such as `sections[0].rows[1].title`, to what is wrong. */
                fields?: {
                    [key: string]: string;
                };
            };
            message: string;
        };
        /** @description The signature of the request does not verify. */
        InvalidSignatureError: {
            /** @constant */
            code: "INVALID_SIGNATURE";
            details?: Record<string, never>;
            message: string;
        };
        /** @description The parameters do not match the template. */
        InvalidTemplateParamsError: {
            /** @constant */
            code: "INVALID_TEMPLATE_PARAMS";
            details?: {
                /** @description Path of each violated field, such as `sections[0].rows[1].title`, to what is wrong. */
                fields?: {
                    [key: string]: string;
                };
            };
            message: string;
        };
        /** @description Requests from this address are not allowed for the API key. */
        IpNotAllowedError: {
            /** @constant */
            code: "IP_NOT_ALLOWED";
            details?: Record<string, never>;
            message: string;
        };
        ListMessage: {
            /** @description At most 1,024 characters. */
            body: string;
            /** @description The text on the menu button, at most 20 characters. */
            button: string;
            /** @description At most 60 characters. */
            footer?: string | null;
            /** @description At most 60 characters. */
            header?: string | null;
            /** @description Your own reference; it comes back with every event of the message. At most 100 characters. */
            reference?: string | null;
            /** @description 1 to 10 sections. */
            sections: components["schemas"]["ListSection"][];
            /**
             * @description The recipient in E.164 form, such as +14155550123. Required without `to_user_id`; with both, the message goes
             *     to this number.
             */
            to?: string | null;
            /** @description The recipient's business-scoped user id, such as US.13491208655302741918: for users who hide their number. */
            to_user_id?: string | null;
        } | {
            to: unknown;
        } | {
            to_user_id: unknown;
        };
        ListRow: {
            /** @description At most 72 characters. */
            description?: string | null;
            /** @description Comes back with the reply; unique within the message, at most 200 characters. */
            id: string;
            /** @description At most 24 characters. */
            title: string;
        };
        ListSection: {
            /** @description 1 to 10 rows. WhatsApp itself takes at most 10 rows over all sections. */
            rows: components["schemas"]["ListRow"][];
            /** @description At most 24 characters. */
            title?: string | null;
        };
        Liveness: {
            /** @description `ok`. */
            status: string;
        };
        MappedVariable: {
            /** @description From 0; for buttons only. */
            button_index?: number | null;
            /** @enum {string} */
            component: "header" | "body" | "button";
            /** @description The value where a send gives none. At most 1,024 characters. */
            default?: string | null;
            /** @description In templates with named parameters. */
            parameter_name?: string | null;
            /** @description From 1; a component with one parameter needs neither position nor name. */
            position?: number | null;
            /** @description A send without the variable is refused. */
            required: boolean;
            /**
             * @description How a parameter of the body is sent. Default: text. A currency's value is like "12.50 EUR".
             * @enum {string|null}
             */
            type?: "text" | "currency" | "date_time" | null;
        };
        MediaLink: {
            /** @description http or https, at most 2,048 characters; WhatsApp fetches it. */
            link: string;
        };
        MediaMessage: {
            /** @description At most 1,024 characters; not for audio and stickers. */
            caption?: string | null;
            /** @description The name that the recipient sees, at most 240 characters; for documents only. */
            filename?: string | null;
            /** @description http or https, at most 2,048 characters; WhatsApp fetches it. */
            link: string;
            /** @description Your own reference; it comes back with every event of the message. At most 100 characters. */
            reference?: string | null;
            /** @description The message that this one answers: the id of one of yours, or the platform's id of any. */
            reply_to?: string | null;
            /**
             * @description The recipient in E.164 form, such as +14155550123. Required without `to_user_id`; with both, the message goes
             *     to this number.
             */
            to?: string | null;
            /** @description The recipient's business-scoped user id, such as US.13491208655302741918: for users who hide their number. */
            to_user_id?: string | null;
            /** @enum {string} */
            type: "image" | "video" | "audio" | "document" | "sticker";
        } | {
            to: unknown;
        } | {
            to_user_id: unknown;
        };
        Message: {
            /** @description The contact that it is for; null while none is known. */
            contact_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            delivered_at: string | null;
            /** @description Why it failed, or null. */
            error: components["schemas"]["MessageError"] | null;
            /** Format: date-time */
            failed_at: string | null;
            /** @description Whether the platform has accepted it and holds it to assess the quality of its template. */
            held: boolean;
            /** @description UUID. */
            message_id: string;
            /** @description The platform's id of the message; null until it has accepted it. */
            platform_message_id: string | null;
            /** @description What it costs, as the platform reports with its statuses; null until then. */
            pricing: components["schemas"]["Pricing"] | null;
            /** Format: date-time */
            read_at: string | null;
            /** @description Your own reference, as it was given when sending. */
            reference: string | null;
            /** Format: date-time */
            sent_at: string | null;
            /** @enum {string} */
            status: "delivered" | "failed" | "queued" | "read" | "sending" | "sent" | "unconfirmed";
            /** @description The recipient in E.164 form; null if you gave a user id alone. */
            to: string | null;
            /** @description The recipient's user id as you gave it; null if you gave none. */
            to_user_id: string | null;
            /** @enum {string} */
            type: "button" | "list" | "media" | "template" | "text";
        };
        MessageError: {
            /** @description `MESSAGE_SEND_FAILED`. */
            code: string;
            message: string;
            /** @description Where there is no code of the platform: `unreachable`, `expired`, … */
            reason?: string | null;
            /** @description Whether a new send of the same message can succeed later. */
            retryable: boolean;
            /** @description The platform's code; absent if it never answered. */
            whatsapp_error_code?: number;
            /** @description The platform's own text; absent if it never answered. */
            whatsapp_error_message?: string | null;
        };
        /** @description There is no such message. */
        MessageNotFoundError: {
            /** @constant */
            code: "MESSAGE_NOT_FOUND";
            details?: Record<string, never>;
            message: string;
        };
        /** @description An end user wrote, tapped a button or chose from a list. */
        MessageReceivedEvent: {
            data: {
                /**
                 * Format: uuid
                 * @description The contact who wrote.
                 */
                contact_id: string | null;
                /** @description The message that it answers, or null. */
                context: {
                    /** @description The id of your message; null if it is not yours. */
                    message_id: string | null;
                    /** @description WhatsApp's id of that message. */
                    platform_message_id: string;
                    /** @description Your own reference, as it was given when sending. */
                    reference: string | null;
                } | null;
                /** @description The end user in E.164 form; null if WhatsApp gives no number. */
                from: string | null;
                /** @description The name in the profile of the end user. */
                from_name: string | null;
                /** @description WhatsApp's id of the end user for all businesses of your portfolio. */
                from_parent_user_id: string | null;
                /** @description WhatsApp's id of the end user. */
                from_user_id: string | null;
                /** @description Their username, if they have one. */
                from_username: string | null;
                message: components["schemas"]["ReceivedMessage"];
                /** @description WhatsApp's id of the message. */
                message_id: string;
                /**
                 * Format: date-time
                 * @description When the user sent it, by WhatsApp's clock; null if WhatsApp gives no time.
                 */
                sent_at: string | null;
                /** @description Your number in E.164 form. */
                to: string;
            };
            /** @constant */
            event: "message.received";
            /**
             * Format: date-time
             * @description ISO 8601 in UTC.
             */
            timestamp: string;
        };
        /** @description WhatsApp did not accept the message. */
        MessageSendFailedError: {
            /** @constant */
            code: "MESSAGE_SEND_FAILED";
            details: {
                message_id: string;
                /** @description Where there is no code: `unreachable`, `expired`, … */
                reason?: string;
                /** @description Whether a new send can succeed later. */
                retryable: boolean;
                /** @description Absent if WhatsApp never answered. */
                whatsapp_error_code?: number;
                /** @description WhatsApp's own text; absent if it never answered. */
                whatsapp_error_message?: string | null;
            };
            message: string;
        };
        /** @description One of your messages has a new status. You get each status at most once per message. */
        MessageStatusEvent: {
            data: {
                /**
                 * Format: uuid
                 * @description The contact that it is for; null while none is known.
                 */
                contact_id: string | null;
                /** @description Why it failed, or null. */
                error: components["schemas"]["MessageError"] | null;
                /** @description `sent` only: WhatsApp holds the message to assess the quality of its template. */
                held: boolean;
                /**
                 * Format: uuid
                 * @description The id of your message.
                 */
                message_id: string;
                /**
                 * Format: date-time
                 * @description When it happened: WhatsApp's time if it gives one.
                 */
                occurred_at: string;
                /** @description WhatsApp's id of the message; null until it has accepted it. */
                platform_message_id: string | null;
                /** @description Your own reference, as it was given when sending. */
                reference: string | null;
                /** @enum {string} */
                status: "unconfirmed" | "sent" | "delivered" | "read" | "failed";
                /** @description The recipient in E.164 form; null if you gave a user id alone. */
                to: string | null;
                /** @description The recipient's user id, as you gave it. */
                to_user_id: string | null;
            };
            /** @constant */
            event: "message.status";
            /**
             * Format: date-time
             * @description ISO 8601 in UTC.
             */
            timestamp: string;
        };
        MessageWithTimeline: {
            /** @description The contact that it is for; null while none is known. */
            contact_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            delivered_at: string | null;
            /** @description Why it failed, or null. */
            error: components["schemas"]["MessageError"] | null;
            /** Format: date-time */
            failed_at: string | null;
            /** @description Whether the platform has accepted it and holds it to assess the quality of its template. */
            held: boolean;
            /** @description UUID. */
            message_id: string;
            /** @description The platform's id of the message; null until it has accepted it. */
            platform_message_id: string | null;
            /** @description What it costs, as the platform reports with its statuses; null until then. */
            pricing: components["schemas"]["Pricing"] | null;
            /** Format: date-time */
            read_at: string | null;
            /** @description Your own reference, as it was given when sending. */
            reference: string | null;
            /** Format: date-time */
            sent_at: string | null;
            /** @enum {string} */
            status: "delivered" | "failed" | "queued" | "read" | "sending" | "sent" | "unconfirmed";
            /** @description Oldest first. */
            timeline: components["schemas"]["StatusChange"][];
            /** @description The recipient in E.164 form; null if you gave a user id alone. */
            to: string | null;
            /** @description The recipient's user id as you gave it; null if you gave none. */
            to_user_id: string | null;
            /** @enum {string} */
            type: "button" | "list" | "media" | "template" | "text";
        };
        Messages: {
            messages: components["schemas"]["Message"][];
            /** @description Null on the last page. */
            next_cursor: string | null;
        };
        Meta: {
            rate_limit?: components["schemas"]["RateLimit"];
            /** @description The same as the header X-Request-Id; name it when you ask about a request. */
            request_id: string;
            /** @description What only WhatsApp would refuse. Only in the playground. */
            warnings?: string[];
        };
        /** @description The `meta` of requests with an API key. */
        MeteredMeta: {
            rate_limit: components["schemas"]["RateLimit"];
            /** @description The same as the header X-Request-Id; name it when you ask about a request. */
            request_id: string;
        };
        /** @description A required variable of the template is missing. */
        MissingRequiredVariableError: {
            /** @constant */
            code: "MISSING_REQUIRED_VARIABLE";
            details?: {
                variables?: string[];
            };
            message: string;
        };
        /** @description The name is already in use. */
        NameTakenError: {
            /** @constant */
            code: "NAME_TAKEN";
            details?: Record<string, never>;
            message: string;
        };
        NewAccount: {
            /** @description Write-only: it is stored encrypted and never shown. */
            access_token: string;
            /** @description Default: true. Keys of an inactive account get ACCOUNT_NOT_ACTIVE. */
            active?: boolean | null;
            /** @description Write-only; verifies what the platform reports. */
            app_secret: string;
            /** @description The platform's id of the WhatsApp business account. */
            business_account_id: string;
            /** @description The number as people write it. */
            display_phone_number: string;
            /** @description How many messages a second the number may send: 1 to 10,000, null without limit; default 80. */
            messages_per_second?: number | null;
            /** @description 1 to 100 characters; unique. */
            name: string;
            /** @description The platform's id of the number. */
            phone_number_id: string;
        };
        NewApiKey: {
            /**
             * Format: uuid
             * @description For operators: the key's account; default: the only one.
             */
            account_id?: string | null;
            /** @description Default: true. An inactive key is refused until it is switched on again. */
            active?: boolean | null;
            /** @description Addresses or CIDR ranges, IPv4 and IPv6, up to 100; none means any. */
            allowed_ips?: string[] | null;
            /** @description 1 to 1,000,000,000; default 10,000. */
            daily_limit?: number | null;
            /** @description At most 500 characters. */
            description?: string | null;
            /** @description ISO 8601, in the future, at most 9999-12-31T23:59:59Z; default: never. */
            expires_at?: string | null;
            /**
             * @description `live` (default) sends to WhatsApp, `test` to the simulator.
             * @enum {string|null}
             */
            mode?: "live" | "test" | null;
            /** @description 1 to 100 characters; unique in the account, whatever their case. Space around it is left out. */
            name: string;
            /** @description At least one of send_template, send_text, send_media, view_templates, view_messages, manage_contacts. */
            permissions: ("manage_contacts" | "send_media" | "send_template" | "send_text" | "view_messages" | "view_templates")[];
            /** @description 1 to 1,000,000,000; default 60. */
            rate_limit_per_minute?: number | null;
            /** @description Default: false. Whether requests without a signature are refused. */
            require_signature?: boolean | null;
            /** @description `message.received`, `message.status`, `webhook.test`, which are the default, and `contact.changed`. */
            webhook_events?: ("contact.changed" | "message.received" | "message.status" | "webhook.test")[] | null;
            /** @description http or https, at most 2,048 characters. Where events go; default: nowhere. */
            webhook_url?: string | null;
        };
        NewTemplateMapping: {
            /** @description Variable name to the parameter that it fills. Every parameter that WhatsApp wants must be filled. */
            variables: {
                [key: string]: components["schemas"]["MappedVariable"];
            };
        };
        NewUser: {
            /**
             * Format: uuid
             * @description The account of an administrator; operators have none.
             */
            account_id?: string | null;
            /** @description Default: true. */
            active?: boolean | null;
            /** @description Unique, whatever the case of its letters. */
            email: string;
            /** @description 12 to 128 characters. */
            password: string;
            /** @enum {string} */
            role: "operator" | "administrator";
        };
        /** @description This route or object does not exist. */
        NotFoundError: {
            /** @constant */
            code: "NOT_FOUND";
            details?: {
                /** @description WhatsApp's code, for a file that it no longer has. */
                whatsapp_error_code?: number;
            };
            message: string;
        };
        Notification: {
            /** @description Null where the request could not be read. */
            account_id: string | null;
            attempts: number;
            /** @description Why it was set aside. */
            error: string | null;
            id: string;
            /** @description `message`, `status`, `template_status` …; `notification` for a request that could not be read. */
            kind: string;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** @description The request that brought it. */
            notification_id: string;
            /** Format: date-time */
            received_at: string;
            /** @enum {string} */
            state: "done" | "foreign" | "set_aside" | "waiting";
        };
        NotificationAnswer: {
            notification: components["schemas"]["Notification"];
        };
        NotificationDetail: {
            /** @description The request's body; null once it is no longer kept, and for administrators: it may tell of other accounts. */
            body: string | null;
            notification: components["schemas"]["Notification"];
        };
        Notifications: {
            next_cursor: string | null;
            notifications: components["schemas"]["Notification"][];
        };
        NumberCheck: {
            error: components["schemas"]["NumberCheckError"] | null;
            health: components["schemas"]["NumberHealth"] | null;
            ok: boolean;
        };
        NumberCheckError: {
            message: string;
            /** @description `refused`, or what stood in the way of an answer. */
            reason: string;
            whatsapp_error_code: number | null;
        };
        NumberEntity: {
            can_send_message: string | null;
            errors: components["schemas"]["NumberEntityError"][];
            id: string | null;
            type: string | null;
        };
        NumberEntityError: {
            code: string | null;
            description: string | null;
            solution: string | null;
        };
        NumberHealth: {
            /** @description `AVAILABLE`, `LIMITED` or `BLOCKED`. */
            can_send_message: string | null;
            display_phone_number: string | null;
            /** @description What a message passes through, each with its own word. */
            entities: components["schemas"]["NumberEntity"][];
            messaging_limit: string | null;
            name_status: string | null;
            quality_rating: string | null;
            status: string | null;
            throughput_level: string | null;
            verified_name: string | null;
        };
        OpenApi: Record<string, never>;
        Overview: {
            active_keys: number;
            /** @description What needs attention, newest first. */
            alerts: components["schemas"]["Alert"][];
            /** @description Mappings of keys that are not revoked. */
            broken_mappings: components["schemas"]["BrokenMapping"][];
            /** @description 24 hours, the oldest first; the last one is the present hour. */
            calls_by_hour: components["schemas"]["HourlyCalls"][];
            /** @description Authenticated requests of the external API, whatever the answer: the hours of `calls_by_hour`. */
            calls_last_24h: number;
            /** @description Failed ones of these, by WhatsApp's code, or by reason where WhatsApp gave none. */
            failures_by_code: {
                [key: string]: number;
            };
            /** @description Messages accepted in the last 24 hours, by their present status. */
            messages_by_status: {
                [key: string]: number;
            };
            queue: components["schemas"]["Queue"];
            /** @description Templates that WhatsApp has approved, each language for itself, live and test ones as one. */
            templates_approved: number;
            /** @description Mappings of keys to templates. */
            templates_configured: number;
            total_keys: number;
        };
        /** @description The API key lacks the permission that this operation needs. */
        PermissionDeniedError: {
            /** @constant */
            code: "PERMISSION_DENIED";
            details?: {
                permission?: string;
            };
            message: string;
        };
        Playground: {
            /**
             * Format: uuid
             * @description The key whose permissions, account and quota apply.
             */
            api_key_id: string;
            /**
             * @description `simulate` (default) sends nothing; `send` sends for real.
             * @enum {string|null}
             */
            mode?: "simulate" | "send" | null;
            /** @description The body that the type's own route takes. */
            payload: Record<string, never>;
            /** @enum {string} */
            type: "list" | "button" | "text" | "media" | "template" | "template_send";
        };
        Pricing: {
            billable: boolean | null;
            /** @description `marketing`, `utility`, `authentication`, `service` …; expect values that you do not know. */
            category: string | null;
            /** @description `PMP`: by message. */
            model: string | null;
            /** @description `regular`, `free_customer_service`, `free_entry_point` … */
            type: string | null;
        };
        Queue: {
            /** @description The age of the oldest of them; 0 when there is none. */
            oldest_age_seconds: number;
            /** @description Messages that no worker has taken. */
            queued: number;
            /** @description Messages that WhatsApp may have or not. */
            unconfirmed: number;
        };
        /** @description The minute window of the API key. */
        RateLimit: {
            limit: number;
            remaining: number;
            /**
             * Format: date-time
             * @description The end of the window.
             */
            reset_at: string;
        };
        /** @description Too many requests in the current minute. Repeating the request later can succeed. */
        RateLimitExceededError: {
            /** @constant */
            code: "RATE_LIMIT_EXCEEDED";
            details?: {
                /** @description As in `Retry-After`. */
                retry_after?: number;
            };
            message: string;
        };
        RawTemplate: {
            /** @description As WhatsApp's own API takes them; checked against the template. */
            components?: Record<string, never>[] | null;
            /** @description The template's language code, such as en_US. */
            language: string;
            /** @description Your own reference; it comes back with every event of the message. At most 100 characters. */
            reference?: string | null;
            /** @description The name of an approved template. At most 512 characters. */
            template_name: string;
            /**
             * @description The recipient in E.164 form, such as +14155550123. Required without `to_user_id`; with both, the message goes
             *     to this number.
             */
            to?: string | null;
            /** @description The recipient's business-scoped user id, such as US.13491208655302741918: for users who hide their number. */
            to_user_id?: string | null;
        } | {
            to: unknown;
        } | {
            to_user_id: unknown;
        };
        Readiness: {
            /** @enum {string} */
            database: "down" | "up";
            /** @enum {string} */
            process: "stopping" | "up";
            /**
             * @description `off`: the process runs without Redis.
             * @enum {string}
             */
            redis: "degraded" | "off" | "up";
            /** @enum {string} */
            status: "ok" | "unavailable";
        };
        /** @description A file that an end user sent. */
        ReceivedFile: {
            /** @description Of stickers. */
            animated?: boolean;
            caption?: string;
            /** @description Of documents. */
            filename?: string;
            /** @description WhatsApp's id of the file. */
            id: string;
            mime_type?: string;
            sha256?: string;
            /** @description Where you fetch the file from Parley, with your API key. */
            url: string;
            /** @description Of audio: whether it was recorded in the chat. */
            voice?: boolean;
        };
        /** @description What an end user sent: `type`, and an object of that name. */
        ReceivedMessage: {
            button: {
                /** @description The `id` of the button. */
                payload: string;
                /** @description The title of the button. */
                text: string;
            };
            /** @constant */
            type: "button";
        } | {
            interactive: {
                list_reply: {
                    /** @description The `id` of the row. */
                    id: string;
                    /** @description The title of the row. */
                    title: string;
                };
                /** @constant */
                type: "list_reply";
            };
            /** @constant */
            type: "interactive";
        } | {
            interactive?: {
                type?: string;
            };
            /** @constant */
            type: "interactive";
        } | {
            text: {
                body: string;
            };
            /** @constant */
            type: "text";
        } | {
            image: components["schemas"]["ReceivedFile"];
            /** @constant */
            type: "image";
        } | {
            /** @constant */
            type: "video";
            video: components["schemas"]["ReceivedFile"];
        } | {
            audio: components["schemas"]["ReceivedFile"];
            /** @constant */
            type: "audio";
        } | {
            document: components["schemas"]["ReceivedFile"];
            /** @constant */
            type: "document";
        } | {
            sticker: components["schemas"]["ReceivedFile"];
            /** @constant */
            type: "sticker";
        } | {
            location: {
                address?: string;
                latitude: number;
                longitude: number;
                name?: string;
                url?: string;
            };
            /** @constant */
            type: "location";
        } | {
            contacts: {
                [key: string]: unknown;
            }[];
            /** @constant */
            type: "contacts";
        } | {
            reaction: {
                /** @description Empty or absent if the reaction was removed. */
                emoji?: string;
                message_id: string;
            };
            /** @constant */
            type: "reaction";
        } | {
            order: {
                catalog_id?: string;
                product_items?: {
                    [key: string]: unknown;
                }[];
                text?: string;
            };
            /** @constant */
            type: "order";
        } | {
            system: {
                [key: string]: unknown;
            };
            /** @constant */
            type: "system";
        } | {
            errors?: {
                [key: string]: unknown;
            }[];
            /** @constant */
            type: "unsupported";
        } | {
            errors?: {
                [key: string]: unknown;
            }[];
            /** @constant */
            type: "unknown";
        } | {
            type: string;
        };
        /** @description A one-time code goes to a phone number only: name one in `to`. */
        RecipientNotSupportedError: {
            /** @constant */
            code: "RECIPIENT_NOT_SUPPORTED";
            details?: Record<string, never>;
            message: string;
        };
        Recover: {
            /** @description ISO 8601, with its offset. */
            since: string;
        };
        Recovered: {
            /** @description Events that are delivered again. */
            recovered: number;
        };
        ReplyButton: {
            /** @description Comes back with the reply; unique within the message, at most 256 characters. */
            id: string;
            /** @description At most 20 characters. */
            title: string;
        };
        /** @description The API key has been revoked. */
        RevokedApiKeyError: {
            /** @constant */
            code: "REVOKED_API_KEY";
            details?: Record<string, never>;
            message: string;
        };
        Rotate: {
            /**
             * @description How long what was before still works: 0 to 604,800 seconds. Default 0; a day for the webhook's
             *     secret, as events are signed with both.
             */
            overlap_seconds?: number | null;
        };
        RotatedApiKey: {
            api_key: components["schemas"]["ApiKey"];
            key: string;
        };
        RotatedSigningSecret: {
            api_key: components["schemas"]["ApiKey"];
            signing_secret: string;
        };
        RotatedWebhookSecret: {
            api_key: components["schemas"]["ApiKey"];
            webhook_secret: string;
        };
        SentMessage: {
            /** @description UUID of the message. */
            message_id: string;
            /**
             * @description `sent`, or `queued`, `sending`, `unconfirmed` where nothing is certain yet.
             * @enum {string}
             */
            status: "queued" | "sending" | "sent" | "unconfirmed";
        };
        SentTemplate: {
            /** @description UUID of the message. */
            message_id: string;
            /** @description The same as `message_id`. */
            message_uuid: string;
            /**
             * @description `sent`, or `queued`, `sending`, `unconfirmed` where nothing is certain yet.
             * @enum {string}
             */
            status: "queued" | "sending" | "sent" | "unconfirmed";
            /** @description The recipient; null if you gave a user id alone. */
            to: string | null;
        };
        /** @description The service is temporarily unavailable; nothing was sent. Repeating the request later can succeed. */
        ServiceUnavailableError: {
            /** @constant */
            code: "SERVICE_UNAVAILABLE";
            details?: {
                /** @description The acceptance is uncertain: read this message, or repeat with the same Idempotency-Key. */
                message_id?: string;
                reason?: string;
                /** @description WhatsApp's code, with `platform_refused`: a file that it does not give out now. */
                whatsapp_error_code?: number;
                /** @description WhatsApp's own text. */
                whatsapp_error_message?: string;
            };
            message: string;
        };
        Session: {
            /** @description Null for operators, who read all accounts. */
            account: components["schemas"]["SessionAccount"] | null;
            /** @description Where callers reach the API. */
            public_url: string;
            /** @description Whether there is a simulator: test keys can be made, and the sandbox phone works. */
            simulator: boolean;
            user: components["schemas"]["SessionUser"];
        };
        SessionAccount: {
            active: boolean;
            display_phone_number: string;
            /**
             * @description `paused`, `throttled` or null: what WhatsApp lets its number do.
             * @enum {string|null}
             */
            hold_kind: "paused" | "throttled" | null;
            id: string;
            name: string;
        };
        SessionUser: {
            /** @description The account of an administrator; null for operators. */
            account_id: string | null;
            email: string;
            id: string;
            /** @enum {string} */
            role: "administrator" | "operator";
        };
        SignIn: {
            email: string;
            password: string;
        };
        SimulatedMessage: {
            /** @description Exactly what would go to WhatsApp. */
            platform_payload: {
                [key: string]: unknown;
            };
            valid: boolean;
        };
        SimulatorConversation: {
            /** @description Deliveries of events of this phone among the account's newest, newest first. */
            deliveries: components["schemas"]["DeliveryAnswer"][];
            /** @description Oldest first. */
            messages: components["schemas"]["SimulatorTurn"][];
            phone: string;
        };
        SimulatorInbound: {
            /** @description The user's number in E.164 form. */
            from: string;
            /** @description The business number; default: that of the account. */
            phone_number_id?: string | null;
            text: string;
        };
        SimulatorPhone: {
            last: components["schemas"]["SimulatorTurn"];
            /** Format: date-time */
            last_at: string;
            /** @description How many messages there are, of both sides. */
            messages: number;
            phone: string;
        };
        SimulatorPhones: {
            phones: components["schemas"]["SimulatorPhone"][];
        };
        SimulatorReply: {
            button_id?: string | null;
            row_id?: string | null;
            text?: string | null;
        };
        SimulatorTurn: {
            /** Format: date-time */
            at: string;
            /**
             * @description `out`: to the user; `in`: from the user.
             * @enum {string}
             */
            direction: "in" | "out";
            /** @description WhatsApp's id of the message. */
            id: string;
            /** @description `out`: as it was sent; `in`: as the notification reported it. */
            message: {
                [key: string]: unknown;
            };
            /** @description The business number. */
            phone_number_id: string;
            /** @description How far it has come, for `out`. */
            status: string | null;
            type: string;
        };
        StatusChange: {
            /** Format: date-time */
            at: string;
            /**
             * @description Who noticed it: the API, a worker, the platform's answer, its webhook, or recovery.
             * @enum {string}
             */
            source: "api" | "platform" | "recovery" | "webhook" | "worker";
            /** @enum {string} */
            status: "delivered" | "failed" | "queued" | "read" | "sending" | "sent" | "unconfirmed";
        };
        Suspend: {
            /** @description 1 to 500 characters; administrators of the account see it. */
            reason: string;
        };
        /** @description The API key is suspended. */
        SuspendedApiKeyError: {
            /** @constant */
            code: "SUSPENDED_API_KEY";
            details?: Record<string, never>;
            message: string;
        };
        Template: {
            category: string;
            /** @description As WhatsApp defines them. */
            components: Record<string, never>[];
            /** @description Whether the key has a mapping that fits: then it can be sent with variables. */
            configured: boolean;
            language: string;
            name: string;
            /** @description `POSITIONAL` or `NAMED`. */
            parameter_format: string;
            /** @description WhatsApp's word; only APPROVED ones can be sent. */
            status: string;
            /** @description What the key's mapping takes; empty without one. */
            variables: components["schemas"]["TemplateVariable"][];
        };
        TemplateMapping: {
            /** @description Whether it no longer fits the template: sends answer TEMPLATE_NOT_CONFIGURED. */
            broken: boolean;
            /** @description Why it does not fit, or null. */
            broken_reason: string | null;
            /** Format: date-time */
            created_at: string;
            language: string;
            template_id: string;
            template_name: string;
            /** @description WhatsApp's word on the template. */
            template_status: string;
            /** Format: date-time */
            updated_at: string;
            variables: {
                [key: string]: unknown;
            };
        };
        TemplateMappingAnswer: {
            template_mapping: components["schemas"]["TemplateMapping"];
        };
        TemplateMappingState: {
            api_key_id: string;
            api_key_name: string;
            broken: boolean;
            /** @description Why it does not fit, or null. */
            broken_reason: string | null;
            /** Format: date-time */
            updated_at: string;
            /** @description How many variables a send may give. */
            variables: number;
        };
        TemplateMappings: {
            template_mappings: components["schemas"]["TemplateMapping"][];
        };
        /** @description The API key has no variable mapping for this template. */
        TemplateNotConfiguredError: {
            /** @constant */
            code: "TEMPLATE_NOT_CONFIGURED";
            details?: {
                reason?: string;
            };
            message: string;
        };
        /** @description There is no approved template with this name and language. */
        TemplateNotFoundError: {
            /** @constant */
            code: "TEMPLATE_NOT_FOUND";
            details?: {
                /** @description The status of a template that exists but is not approved. */
                status?: string;
            };
            message: string;
        };
        TemplateParameter: {
            /** @description From 0; null outside buttons. */
            button_index: number | null;
            component: string;
            example: string | null;
            /** @description `text`, `image`, `video`, `document`, `location`, `url_suffix`, `payload` or `coupon_code`. */
            kind: string;
            parameter_name: string | null;
            /** @description From 1. */
            position: number;
            /** @description WhatsApp refuses a send without it. */
            required: boolean;
        };
        TemplateScope: {
            /**
             * Format: uuid
             * @description Default: all that the user may see, or the only one.
             */
            account_id?: string | null;
            /**
             * @description Default: both.
             * @enum {string|null}
             */
            mode?: "live" | "test" | null;
        };
        TemplateSend: {
            /** @description The template's language code, such as en_US. */
            language: string;
            /** @description Your own reference; it comes back with every event of the message. At most 100 characters. */
            reference?: string | null;
            /** @description The name of an approved template for which the key has a mapping. At most 512 characters. */
            template_name: string;
            /**
             * @description The recipient in E.164 form, such as +14155550123. Required without `to_user_id`; with both, the message goes
             *     to this number.
             */
            to?: string | null;
            /** @description The recipient's business-scoped user id, such as US.13491208655302741918: for users who hide their number. */
            to_user_id?: string | null;
            /** @description Variable name to value, which is a string of at most 1,024 characters. */
            variables?: {
                [key: string]: string | null;
            } | null;
        } | {
            to: unknown;
        } | {
            to_user_id: unknown;
        };
        TemplateSync: {
            account_id: string;
            added: number;
            changed: number;
            /** @enum {string} */
            mode: "live" | "test";
            removed: number;
            /** Format: date-time */
            synced_at: string;
            /** @description Templates that WhatsApp has, each language for itself. */
            templates: number;
        };
        TemplateSyncError: {
            message: string;
            reason: string;
            whatsapp_error_code: number | null;
        };
        TemplateSyncState: {
            account_id: string;
            error: components["schemas"]["TemplateSyncError"] | null;
            /**
             * Format: date-time
             * @description When it failed since, or null.
             */
            failed_at: string | null;
            /** @enum {string} */
            mode: "live" | "test";
            running: boolean;
            /**
             * Format: date-time
             * @description The last one that succeeded, or null.
             */
            synced_at: string | null;
        };
        TemplateSyncs: {
            syncs: components["schemas"]["TemplateSync"][];
        };
        TemplateVariable: {
            /** @description `header`, `body` or `button`. */
            component: string;
            /** @description What the template was submitted with, or null. */
            example: string | null;
            name: string;
            /** @description A send without it is refused. */
            required: boolean;
        };
        Templates: {
            /** @description Null on the last page. */
            next_cursor: string | null;
            templates: components["schemas"]["Template"][];
        };
        TextMessage: {
            /** @description At most 4,096 characters. */
            body: string;
            /** @description Whether WhatsApp shows a preview of the first link. Default: false. */
            preview_url?: boolean | null;
            /** @description Your own reference; it comes back with every event of the message. At most 100 characters. */
            reference?: string | null;
            /** @description The message that this one answers: the id of one of yours, or the platform's id of any. */
            reply_to?: string | null;
            /**
             * @description The recipient in E.164 form, such as +14155550123. Required without `to_user_id`; with both, the message goes
             *     to this number.
             */
            to?: string | null;
            /** @description The recipient's business-scoped user id, such as US.13491208655302741918: for users who hide their number. */
            to_user_id?: string | null;
        } | {
            to: unknown;
        } | {
            to_user_id: unknown;
        };
        /** @description The timestamp of the request is more than 5 minutes off. */
        TimestampExpiredError: {
            /** @constant */
            code: "TIMESTAMP_EXPIRED";
            details?: Record<string, never>;
            message: string;
        };
        /** @description Sign in to the dashboard first. */
        UnauthenticatedError: {
            /** @constant */
            code: "UNAUTHENTICATED";
            details?: Record<string, never>;
            message: string;
        };
        User: {
            /** @description The account of an administrator; null for operators. */
            account_id: string | null;
            active: boolean;
            /**
             * Format: date-time
             * @description ISO 8601.
             */
            created_at: string;
            email: string;
            id: string;
            /** @enum {string} */
            role: "administrator" | "operator";
        };
        UserAnswer: {
            user: components["schemas"]["User"];
        };
        UserChange: {
            /** Format: uuid */
            account_id?: string | null;
            /** @description Switched off, a user is signed out everywhere at once. */
            active?: boolean;
            email?: string;
            /** @description 12 to 128 characters. All sessions of the user end. */
            password?: string;
            /** @enum {string} */
            role?: "operator" | "administrator";
        };
        Users: {
            users: components["schemas"]["User"][];
        };
        /** @description The request is not valid. */
        ValidationError: {
            /** @constant */
            code: "VALIDATION_ERROR";
            details?: {
                /** @description Path of each violated field, such as `sections[0].rows[1].title`, to what is wrong. */
                fields?: {
                    [key: string]: string;
                };
            };
            message: string;
        };
        Webhook: {
            /**
             * Format: date-time
             * @description When we gave the endpoint up; null while it is in use.
             */
            disabled_at: string | null;
            events: ("contact.changed" | "message.received" | "message.status" | "webhook.test")[];
            /** @description Null while it takes what it gets, and while it is switched off. */
            failing: components["schemas"]["WebhookFailing"] | null;
            /** @description `gone`: it answered 410; `failing`: it took nothing for 120 hours. */
            reason: string | null;
            /** @description Null: nowhere. */
            url: string | null;
        };
        WebhookFailing: {
            /** @description Attempts that failed since then. */
            failures: number;
            /**
             * Format: date-time
             * @description When the endpoint is switched off unless it takes something.
             */
            off_at: string;
            /**
             * Format: date-time
             * @description The first of them.
             */
            since: string;
        };
        WebhookReport: {
            failed: number;
            /** Format: date-time */
            last_success_at: string | null;
            /** @description The median time to an answer of 2xx; null without one. */
            median_ms: number | null;
            /** @description Of all of these, how many took more than one attempt. */
            retried: number;
            succeeded: number;
            /** @description Those that are not at their end. */
            waiting: number;
        };
        /** @description A test from the dashboard. */
        WebhookTestEvent: {
            data: {
                message: string;
            };
            /** @constant */
            event: "webhook.test";
            /**
             * Format: date-time
             * @description ISO 8601 in UTC.
             */
            timestamp: string;
        };
        WindowUsage: {
            limit: number;
            remaining: number;
            /**
             * Format: date-time
             * @description The end of the window, in UTC.
             */
            reset_at: string;
            used: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
