// Made of the API document by npm run generate.

/** What each endpoint takes and answers. */
export interface Api {
  '/assets': {
    /** List assets, newest lastSeen first. */
    get: {
      path?: never
      query?: { readonly limit?: number | string; readonly offset?: number | string; readonly type?: string; readonly search?: string; readonly where?: string }
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly name: string; readonly assetType: "device" | "virtual_machine" | "hypervisor" | "cluster" | "datacenter" | "datastore" | "cloud_resource" | "ot_device" | "software" | "saas_account" | "user"; readonly ipAddress: string; readonly macAddress: string; readonly os: string; readonly riskScore: number; readonly lastSeen: string; readonly tags: readonly (string)[] })[] }
    }
    /** An extension: adds an asset by hand; what scans see of it later joins it. */
    post: {
      path?: never
      query?: never
      body: { readonly name: string; readonly assetType?: "device" | "virtual_machine" | "hypervisor" | "cluster" | "datacenter" | "datastore" | "cloud_resource" | "ot_device" | "software" | "saas_account" | "user"; readonly vendor?: string; readonly model?: string; readonly os?: string; readonly serial?: string; readonly hostname?: string; readonly macAddress?: string; readonly ipAddress?: string }
      answer: { readonly id: string; readonly name: string; readonly isNew: boolean }
    }
  }
  '/assets/{id}': {
    /** One asset. */
    get: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly id: string; readonly name: string; readonly assetType: "device" | "virtual_machine" | "hypervisor" | "cluster" | "datacenter" | "datastore" | "cloud_resource" | "ot_device" | "software" | "saas_account" | "user"; readonly ipAddress: string; readonly macAddress: string; readonly os: string; readonly riskScore: number; readonly lastSeen: string; readonly tags: readonly (string)[] }
    }
    /** An extension: deletes an asset; if a source reports it again, it is a new one. */
    delete: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly message: string }
    }
  }
  '/assets/{id}/attachments': {
    /** An extension: the files attached to this asset, the newest first; at most 100. */
    get: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly assetId: string | null; readonly contractId: string | null; readonly name: string; readonly bytes: number; readonly received: number; readonly mediaType: string | null; readonly sha256: string | null; readonly addedBy: string; readonly addedAt: string })[] }
    }
    /** An extension: attaches a file of at most 20 MB to this asset, whole or in parts. */
    post: {
      path: { id: string }
      query?: never
      body: { readonly name: string; readonly content: string; readonly bytes?: number; readonly at?: number; readonly key?: string }
      answer: { readonly id: string; readonly assetId: string | null; readonly contractId: string | null; readonly name: string; readonly bytes: number; readonly received: number; readonly mediaType: string | null; readonly sha256: string | null; readonly addedBy: string; readonly addedAt: string }
    }
  }
  '/assets/{id}/custom-fields': {
    /** An extension: the values of custom fields that are set. */
    get: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly data: readonly ({ readonly fieldId: string; readonly key: string; readonly name: string; readonly value: string | number | boolean })[] }
    }
  }
  '/assets/{id}/custom-fields/{fieldId}': {
    /** An extension: sets or clears the value of a custom field. */
    put: {
      path: { id: string; fieldId: string }
      query?: never
      body: { readonly value: string | number | boolean | null }
      answer: { readonly changed: number }
    }
  }
  '/assets/{id}/export': {
    /** The same as /assets/export, whatever the id. */
    get: {
      path: { id: string }
      query: { readonly format: "csv"; readonly where?: string; readonly columns?: string }
      body?: never
      answer: Uint8Array
    }
  }
  '/assets/{id}/relations': {
    /** An extension: what the asset runs on, depends on and is connected to; recorded ones first. */
    get: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly data: readonly ({ readonly id: string | null; readonly kind: "runs_on" | "connected_to" | "part_of" | "depends_on" | "used_by" | "lldp" | "cdp" | "fdb" | "arp" | "vm_on_host"; readonly direction: "out" | "in"; readonly otherId: string | null; readonly other: string; readonly port: string; readonly otherPort: string; readonly note: string; readonly by: string | null; readonly firstSeen: string; readonly lastSeen: string })[] }
    }
    /** An extension: records a relation of this asset to another. */
    post: {
      path: { id: string }
      query?: never
      body: { readonly kind: "runs_on" | "connected_to" | "part_of" | "depends_on" | "used_by"; readonly toId: string; readonly note?: string }
      answer: { readonly id: string | null; readonly kind: "runs_on" | "connected_to" | "part_of" | "depends_on" | "used_by" | "lldp" | "cdp" | "fdb" | "arp" | "vm_on_host"; readonly direction: "out" | "in"; readonly otherId: string | null; readonly other: string; readonly port: string; readonly otherPort: string; readonly note: string; readonly by: string | null; readonly firstSeen: string; readonly lastSeen: string }
    }
  }
  '/assets/export': {
    /** All assets as CSV. */
    get: {
      path?: never
      query: { readonly format: "csv"; readonly where?: string; readonly columns?: string }
      body?: never
      answer: Uint8Array
    }
  }
  '/assets/search': {
    /** Search assets by id, host name, IP address or serial number. */
    get: {
      path?: never
      query: { readonly limit?: number | string; readonly offset?: number | string; readonly q: string }
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly name: string; readonly assetType: "device" | "virtual_machine" | "hypervisor" | "cluster" | "datacenter" | "datastore" | "cloud_resource" | "ot_device" | "software" | "saas_account" | "user"; readonly ipAddress: string; readonly macAddress: string; readonly os: string; readonly riskScore: number; readonly lastSeen: string; readonly tags: readonly (string)[] })[] }
    }
  }
  '/attachments/{id}': {
    /** An extension: what is known of an attached file. */
    get: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly id: string; readonly assetId: string | null; readonly contractId: string | null; readonly name: string; readonly bytes: number; readonly received: number; readonly mediaType: string | null; readonly sha256: string | null; readonly addedBy: string; readonly addedAt: string }
    }
    /** An extension: deletes an attached file. */
    delete: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly message: string }
    }
  }
  '/attachments/{id}/content': {
    /** An extension: an attached file. */
    get: {
      path: { id: string }
      query?: never
      body?: never
      answer: Uint8Array
    }
  }
  '/changes': {
    /** An extension: lists what changed, the oldest first, of the last 90 days. */
    get: {
      path?: never
      query?: { readonly limit?: number | string; readonly offset?: number | string; readonly since?: string; readonly until?: string; readonly after?: string; readonly kind?: string; readonly asset?: string; readonly by?: string; readonly where?: string }
      body?: never
      answer: { readonly data: readonly ({ readonly position: number; readonly at: string; readonly kind: "asset_appeared" | "asset_archived" | "asset_revived" | "asset_merged" | "asset_split" | "asset_deleted" | "field_changed" | "port_opened" | "port_closed" | "software_installed" | "software_removed" | "software_updated" | "finding_opened" | "finding_closed" | "source_connected"; readonly assetId: string | null; readonly assetName: string; readonly subject: string; readonly before: unknown; readonly after: unknown; readonly relatedId: string | null; readonly changedBy: string })[]; readonly meta: { readonly count: number; readonly tenant: string; readonly next: number } }
    }
  }
  '/cloud-resources': {
    /** Lists discovered cloud resources, by provider and name. */
    get: {
      path?: never
      query?: { readonly limit?: number | string; readonly offset?: number | string; readonly provider?: string; readonly type?: string; readonly region?: string }
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly provider: "AWS" | "Azure" | "GCP"; readonly name: string; readonly type: "compute" | "database" | "storage" | "kubernetes" | "function"; readonly region: string; readonly status: string })[]; readonly meta: { readonly count: number; readonly tenant: string } }
    }
  }
  '/contracts': {
    /** An extension: contracts with suppliers, by name. */
    get: {
      path?: never
      query?: { readonly limit?: number | string; readonly offset?: number | string }
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly name: string; readonly supplier: string | null; readonly number: string | null; readonly begins: string | null; readonly ends: string | null; readonly cost: string | null; readonly currency: string | null; readonly notes: string | null })[] }
    }
    /** An extension: adds a contract. */
    post: {
      path?: never
      query?: never
      body: { readonly name: string; readonly supplier?: string | null; readonly number?: string | null; readonly begins?: string | null; readonly ends?: string | null; readonly cost?: string | null; readonly currency?: string | null; readonly notes?: string | null }
      answer: { readonly id: string; readonly name: string; readonly supplier: string | null; readonly number: string | null; readonly begins: string | null; readonly ends: string | null; readonly cost: string | null; readonly currency: string | null; readonly notes: string | null }
    }
  }
  '/contracts/{id}': {
    /** An extension: one contract. */
    get: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly id: string; readonly name: string; readonly supplier: string | null; readonly number: string | null; readonly begins: string | null; readonly ends: string | null; readonly cost: string | null; readonly currency: string | null; readonly notes: string | null }
    }
    /** An extension: changes a contract; what is not given stays, null clears. */
    patch: {
      path: { id: string }
      query?: never
      body: { readonly name?: string; readonly supplier?: string | null; readonly number?: string | null; readonly begins?: string | null; readonly ends?: string | null; readonly cost?: string | null; readonly currency?: string | null; readonly notes?: string | null }
      answer: { readonly id: string; readonly name: string; readonly supplier: string | null; readonly number: string | null; readonly begins: string | null; readonly ends: string | null; readonly cost: string | null; readonly currency: string | null; readonly notes: string | null }
    }
    /** An extension: deletes a contract and its files; refused while entitlements rest on it. */
    delete: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly message: string }
    }
  }
  '/contracts/{id}/attachments': {
    /** An extension: the files attached to this contract, the newest first; at most 100. */
    get: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly assetId: string | null; readonly contractId: string | null; readonly name: string; readonly bytes: number; readonly received: number; readonly mediaType: string | null; readonly sha256: string | null; readonly addedBy: string; readonly addedAt: string })[] }
    }
    /** An extension: attaches a file of at most 20 MB to this contract, whole or in parts. */
    post: {
      path: { id: string }
      query?: never
      body: { readonly name: string; readonly content: string; readonly bytes?: number; readonly at?: number; readonly key?: string }
      answer: { readonly id: string; readonly assetId: string | null; readonly contractId: string | null; readonly name: string; readonly bytes: number; readonly received: number; readonly mediaType: string | null; readonly sha256: string | null; readonly addedBy: string; readonly addedAt: string }
    }
  }
  '/custom-fields': {
    /** An extension: the custom fields of assets, in their order. */
    get: {
      path?: never
      query?: never
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly name: string; readonly key: string; readonly kind: "text" | "number" | "boolean" | "date"; readonly choices: readonly (string)[] | null })[] }
    }
    /** An extension: defines a custom field; its choices are set by PATCH. */
    post: {
      path?: never
      query?: never
      body: { readonly name: string; readonly kind: "text" | "number" | "boolean" | "date" }
      answer: { readonly id: string; readonly name: string; readonly key: string; readonly kind: "text" | "number" | "boolean" | "date"; readonly choices: readonly (string)[] | null }
    }
    /** An extension: lists the custom fields in this order from now on. */
    put: {
      path?: never
      query?: never
      body: { readonly ids: readonly (string)[] }
      answer: { readonly data: readonly ({ readonly id: string; readonly name: string; readonly key: string; readonly kind: "text" | "number" | "boolean" | "date"; readonly choices: readonly (string)[] | null })[] }
    }
  }
  '/custom-fields/{id}': {
    /** An extension: changes a custom field; what is not given stays. */
    patch: {
      path: { id: string }
      query?: never
      body: { readonly name?: string; readonly choices?: readonly (string)[] | null }
      answer: { readonly id: string; readonly name: string; readonly key: string; readonly kind: "text" | "number" | "boolean" | "date"; readonly choices: readonly (string)[] | null }
    }
    /** An extension: deletes a custom field; it is cleared on every asset, each with an event. */
    delete: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly message: string }
    }
  }
  '/custom-fields/{id}/values': {
    /** An extension: sets the same value on up to 1,000 assets, all or none. */
    post: {
      path: { id: string }
      query?: never
      body: { readonly assetIds: readonly (string)[]; readonly value: string | number | boolean | null }
      answer: { readonly changed: number }
    }
  }
  '/entitlements': {
    /** An extension: rights to use products, by product, with how many uses are assigned. */
    get: {
      path?: never
      query?: { readonly limit?: number | string; readonly offset?: number | string }
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly product: string; readonly vendor: string | null; readonly metric: "device" | "user" | "core" | "site" | "concurrent"; readonly count: number | null; readonly used: number; readonly versionFrom: string | null; readonly versionTo: string | null; readonly contractId: string | null; readonly contract: string | null; readonly begins: string | null; readonly ends: string | null; readonly cost: string | null; readonly currency: string | null; readonly notes: string | null })[] }
    }
    /** An extension: adds an entitlement. */
    post: {
      path?: never
      query?: never
      body: { readonly product: string; readonly metric: "device" | "user" | "core" | "site" | "concurrent"; readonly vendor?: string | null; readonly count?: number | null; readonly versionFrom?: string | null; readonly versionTo?: string | null; readonly contractId?: string | null; readonly begins?: string | null; readonly ends?: string | null; readonly cost?: string | null; readonly currency?: string | null; readonly notes?: string | null }
      answer: { readonly id: string; readonly product: string; readonly vendor: string | null; readonly metric: "device" | "user" | "core" | "site" | "concurrent"; readonly count: number | null; readonly used: number; readonly versionFrom: string | null; readonly versionTo: string | null; readonly contractId: string | null; readonly contract: string | null; readonly begins: string | null; readonly ends: string | null; readonly cost: string | null; readonly currency: string | null; readonly notes: string | null }
    }
  }
  '/entitlements/{id}': {
    /** An extension: one entitlement. */
    get: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly id: string; readonly product: string; readonly vendor: string | null; readonly metric: "device" | "user" | "core" | "site" | "concurrent"; readonly count: number | null; readonly used: number; readonly versionFrom: string | null; readonly versionTo: string | null; readonly contractId: string | null; readonly contract: string | null; readonly begins: string | null; readonly ends: string | null; readonly cost: string | null; readonly currency: string | null; readonly notes: string | null }
    }
    /** An extension: changes an entitlement; what is not given stays, null clears. */
    patch: {
      path: { id: string }
      query?: never
      body: { readonly product?: string; readonly metric?: "device" | "user" | "core" | "site" | "concurrent"; readonly vendor?: string | null; readonly count?: number | null; readonly versionFrom?: string | null; readonly versionTo?: string | null; readonly contractId?: string | null; readonly begins?: string | null; readonly ends?: string | null; readonly cost?: string | null; readonly currency?: string | null; readonly notes?: string | null }
      answer: { readonly id: string; readonly product: string; readonly vendor: string | null; readonly metric: "device" | "user" | "core" | "site" | "concurrent"; readonly count: number | null; readonly used: number; readonly versionFrom: string | null; readonly versionTo: string | null; readonly contractId: string | null; readonly contract: string | null; readonly begins: string | null; readonly ends: string | null; readonly cost: string | null; readonly currency: string | null; readonly notes: string | null }
    }
    /** An extension: deletes an entitlement with its uses. */
    delete: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly message: string }
    }
  }
  '/entitlements/{id}/uses': {
    /** An extension: to which assets and persons uses are assigned. */
    get: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly assetId: string | null; readonly assetName: string | null; readonly person: string | null; readonly assignedAt: string })[] }
    }
    /** An extension: assigns uses to assets and persons, all or none; those who have one keep it. */
    post: {
      path: { id: string }
      query?: never
      body: { readonly assetIds: readonly (string)[]; readonly persons?: readonly (string)[] }
      answer: { readonly id: string; readonly product: string; readonly vendor: string | null; readonly metric: "device" | "user" | "core" | "site" | "concurrent"; readonly count: number | null; readonly used: number; readonly versionFrom: string | null; readonly versionTo: string | null; readonly contractId: string | null; readonly contract: string | null; readonly begins: string | null; readonly ends: string | null; readonly cost: string | null; readonly currency: string | null; readonly notes: string | null }
    }
  }
  '/entitlements/{id}/uses/{useId}': {
    /** An extension: takes a use away. */
    delete: {
      path: { id: string; useId: string }
      query?: never
      body?: never
      answer: { readonly id: string; readonly product: string; readonly vendor: string | null; readonly metric: "device" | "user" | "core" | "site" | "concurrent"; readonly count: number | null; readonly used: number; readonly versionFrom: string | null; readonly versionTo: string | null; readonly contractId: string | null; readonly contract: string | null; readonly begins: string | null; readonly ends: string | null; readonly cost: string | null; readonly currency: string | null; readonly notes: string | null }
    }
  }
  '/flows': {
    /** Lists automation flows, newest first. */
    get: {
      path?: never
      query?: { readonly limit?: number | string; readonly offset?: number | string }
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly name: string; readonly description: string; readonly enabled: boolean; readonly triggerType: string; readonly lastTriggeredAt: string })[]; readonly meta: { readonly count: number; readonly tenant: string } }
    }
  }
  '/flows/{id}/export': {
    /** The newest version of a flow as a file, secrets by name alone. */
    get: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly schema: "rollcall.flow/1"; readonly name: string; readonly description: string; readonly definition: unknown; readonly secrets: readonly (string)[]; readonly digest: string }
    }
  }
  '/flows/import': {
    /** Creates a flow from an exported file, as a draft that is off. */
    post: {
      path?: never
      query?: never
      body: { readonly schema: "rollcall.flow/1"; readonly name: string; readonly description?: string; readonly definition: Readonly<Record<string, unknown>>; readonly secrets?: readonly (string)[]; readonly digest?: string }
      answer: { readonly id: string; readonly name: string; readonly description: string; readonly enabled: boolean; readonly triggerType: string; readonly lastTriggeredAt: string }
    }
  }
  '/groups': {
    /** An extension: groups of assets, by name. */
    get: {
      path?: never
      query?: never
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly name: string; readonly description: string; readonly condition: string; readonly changedAt: string })[] }
    }
    /** An extension: makes a group of the assets for which a condition is true. */
    post: {
      path?: never
      query?: never
      body: { readonly name: string; readonly condition: string; readonly description?: string }
      answer: { readonly id: string; readonly name: string; readonly description: string; readonly condition: string; readonly changedAt: string }
    }
  }
  '/groups/{id}': {
    /** An extension: changes a group; what is not given stays. */
    patch: {
      path: { id: string }
      query?: never
      body: { readonly name?: string; readonly condition?: string; readonly description?: string }
      answer: { readonly id: string; readonly name: string; readonly description: string; readonly condition: string; readonly changedAt: string }
    }
    /** An extension: deletes a group that no other group asks about. */
    delete: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly message: string }
    }
  }
  '/partners': {
    /** Creates a partner owned by the tenant. */
    post: {
      path?: never
      query?: never
      body: { readonly name: string; readonly slug: string; readonly email: string; readonly quota_limit?: number; readonly rate_limit?: number }
      answer: { readonly id: string; readonly tenant_id: string; readonly name: string; readonly slug: string; readonly email: string; readonly quota_limit: number; readonly rate_limit: number; readonly api_enabled: boolean; readonly created_at: string; readonly updated_at: string }
    }
    /** Lists the partners of the tenant, newest first. */
    get: {
      path?: never
      query?: { readonly limit?: number | string; readonly offset?: number | string }
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly tenant_id: string; readonly name: string; readonly slug: string; readonly email: string; readonly quota_limit: number; readonly rate_limit: number; readonly api_enabled: boolean; readonly created_at: string; readonly updated_at: string })[]; readonly total: number; readonly limit: number; readonly offset: number }
    }
  }
  '/partners/{id}': {
    /** Tells of a partner. */
    get: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly id: string; readonly tenant_id: string; readonly name: string; readonly slug: string; readonly email: string; readonly quota_limit: number; readonly rate_limit: number; readonly api_enabled: boolean; readonly created_at: string; readonly updated_at: string }
    }
    /** Deletes a partner, with its keys and webhooks. */
    delete: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly message: string }
    }
  }
  '/partners/{id}/keys': {
    /** Issues a key of a partner and tells it once. A partner key issues no scope that it lacks. */
    post: {
      path: { id: string }
      query?: never
      body: { readonly name?: string; readonly scopes: readonly ("partner:read" | "partner:write" | "webhook:read" | "webhook:write")[]; readonly expires_in_days?: number | null }
      answer: { readonly id: string; readonly name: string; readonly prefix: string; readonly scopes: readonly ("partner:read" | "partner:write" | "webhook:read" | "webhook:write")[]; readonly created_at: string; readonly expires_at: string | null; readonly last_used_at: string | null; readonly api_key: string }
    }
    /** Lists the keys of a partner, newest first, without revoked ones. */
    get: {
      path: { id: string }
      query?: { readonly limit?: number | string; readonly offset?: number | string }
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly name: string; readonly prefix: string; readonly scopes: readonly ("partner:read" | "partner:write" | "webhook:read" | "webhook:write")[]; readonly created_at: string; readonly expires_at: string | null; readonly last_used_at: string | null })[]; readonly total: number; readonly limit: number; readonly offset: number }
    }
  }
  '/partners/{id}/keys/{keyId}': {
    /** Revokes a key of a partner; it is refused from the next request on. */
    delete: {
      path: { id: string; keyId: string }
      query?: never
      body?: never
      answer: { readonly message: string }
    }
  }
  '/partners/{id}/quota/{tenantId}': {
    /** Tells how far a partner has used what it may; of its own tenant alone. */
    get: {
      path: { id: string; tenantId: string }
      query?: never
      body?: never
      answer: { readonly tenant_id: string; readonly asset_count: number; readonly quota_limit: number; readonly quota_used_pct: number; readonly requests_today: number; readonly rate_limit: number; readonly reset_at: string }
    }
  }
  '/partners/{id}/webhooks': {
    /** Registers a webhook of a partner, which receives events of the owning tenant. */
    post: {
      path: { id: string }
      query?: never
      body: { readonly name: string; readonly url: string; readonly events: readonly ("NEW_ASSET" | "UPDATED_ASSET" | "DELETED_ASSET" | "NEW_SOURCE" | "EXPORT_COMPLETED" | "UNLINK" | "SCAN_COMPLETED" | "VULNERABILITY_FOUND" | "COMPLIANCE_UPDATED" | "FLOW_TRIGGERED")[]; readonly secret?: string; readonly headers?: Readonly<Record<string, string>> }
      answer: { readonly id: string; readonly name: string; readonly url: string; readonly events: readonly ("NEW_ASSET" | "UPDATED_ASSET" | "DELETED_ASSET" | "NEW_SOURCE" | "EXPORT_COMPLETED" | "UNLINK" | "SCAN_COMPLETED" | "VULNERABILITY_FOUND" | "COMPLIANCE_UPDATED" | "FLOW_TRIGGERED")[]; readonly active: boolean; readonly secret_prefix: string; readonly headers: readonly (string)[]; readonly created_at: string; readonly secret?: string }
    }
    /** Lists the webhooks of a partner, newest first. */
    get: {
      path: { id: string }
      query?: { readonly limit?: number | string; readonly offset?: number | string }
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly name: string; readonly url: string; readonly events: readonly ("NEW_ASSET" | "UPDATED_ASSET" | "DELETED_ASSET" | "NEW_SOURCE" | "EXPORT_COMPLETED" | "UNLINK" | "SCAN_COMPLETED" | "VULNERABILITY_FOUND" | "COMPLIANCE_UPDATED" | "FLOW_TRIGGERED")[]; readonly active: boolean; readonly secret_prefix: string; readonly headers: readonly (string)[]; readonly created_at: string })[]; readonly total: number; readonly limit: number; readonly offset: number }
    }
  }
  '/partners/{id}/webhooks/{webhookId}': {
    /** Deletes a webhook of a partner, and what waits to be delivered to it. */
    delete: {
      path: { id: string; webhookId: string }
      query?: never
      body?: never
      answer: { readonly message: string }
    }
  }
  '/recognition/device-types': {
    /** Lists the device types that recognition tells apart. */
    get: {
      path?: never
      query?: never
      body?: never
      answer: { readonly device_types: readonly ("workstation" | "server" | "router" | "switch" | "firewall" | "printer" | "camera" | "sensor" | "gateway" | "access_point" | "load_balancer" | "storage" | "unknown")[] }
    }
  }
  '/recognition/recognize': {
    /** Recognizes a device by all signals sent; needs mac_address, ip_address or fingerprints, the rest refines. */
    post: {
      path?: never
      query?: never
      body: unknown
      answer: { readonly device_type: "workstation" | "server" | "router" | "switch" | "firewall" | "printer" | "camera" | "sensor" | "gateway" | "access_point" | "load_balancer" | "storage" | "unknown"; readonly vendor: string; readonly model: string; readonly confidence: number; readonly source: string; readonly matches: readonly ({ readonly device_type: "workstation" | "server" | "router" | "switch" | "firewall" | "printer" | "camera" | "sensor" | "gateway" | "access_point" | "load_balancer" | "storage" | "unknown"; readonly vendor: string; readonly model: string; readonly confidence: number; readonly source: string })[] }
    }
  }
  '/recognition/recognize/fingerprint': {
    /** Recognizes a device by what it says of itself; vendor, model and protocol are hints. */
    post: {
      path?: never
      query?: never
      body: { readonly fingerprint: Readonly<Record<string, unknown>> }
      answer: { readonly device_type: "workstation" | "server" | "router" | "switch" | "firewall" | "printer" | "camera" | "sensor" | "gateway" | "access_point" | "load_balancer" | "storage" | "unknown"; readonly vendor: string; readonly model: string; readonly confidence: number; readonly source: string; readonly matches: readonly ({ readonly device_type: "workstation" | "server" | "router" | "switch" | "firewall" | "printer" | "camera" | "sensor" | "gateway" | "access_point" | "load_balancer" | "storage" | "unknown"; readonly vendor: string; readonly model: string; readonly confidence: number; readonly source: string })[] }
    }
  }
  '/recognition/recognize/ip': {
    /** Recognizes a device by its IP address alone, which says next to nothing. */
    post: {
      path?: never
      query?: never
      body: { readonly ip_address: string }
      answer: { readonly device_type: "workstation" | "server" | "router" | "switch" | "firewall" | "printer" | "camera" | "sensor" | "gateway" | "access_point" | "load_balancer" | "storage" | "unknown"; readonly vendor: string; readonly model: string; readonly confidence: number; readonly source: string; readonly matches: readonly ({ readonly device_type: "workstation" | "server" | "router" | "switch" | "firewall" | "printer" | "camera" | "sensor" | "gateway" | "access_point" | "load_balancer" | "storage" | "unknown"; readonly vendor: string; readonly model: string; readonly confidence: number; readonly source: string })[] }
    }
  }
  '/recognition/recognize/mac': {
    /** Recognizes a device by its MAC address. */
    post: {
      path?: never
      query?: never
      body: { readonly mac_address: string }
      answer: { readonly device_type: "workstation" | "server" | "router" | "switch" | "firewall" | "printer" | "camera" | "sensor" | "gateway" | "access_point" | "load_balancer" | "storage" | "unknown"; readonly vendor: string; readonly model: string; readonly confidence: number; readonly source: string; readonly matches: readonly ({ readonly device_type: "workstation" | "server" | "router" | "switch" | "firewall" | "printer" | "camera" | "sensor" | "gateway" | "access_point" | "load_balancer" | "storage" | "unknown"; readonly vendor: string; readonly model: string; readonly confidence: number; readonly source: string })[] }
    }
  }
  '/relations/{id}': {
    /** An extension: takes a recorded relation away. */
    delete: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly message: string }
    }
  }
  '/reports': {
    /** List reports with the status of their latest generation, newest first. */
    get: {
      path?: never
      query?: { readonly limit?: number | string; readonly offset?: number | string }
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly name: string; readonly type: "inventory_summary" | "compliance_report" | "asset_audit" | "software_license" | "topology" | "budget_forecast" | "custom"; readonly format: "csv" | "pdf" | "excel" | "xml"; readonly status: "pending" | "generating" | "available" | "failed"; readonly createdAt: string })[] }
    }
    /** Creates a report and queues its first generation. */
    post: {
      path?: never
      query?: never
      body: { readonly name: string; readonly type: "inventory_summary" | "compliance_report" | "asset_audit" | "software_license" | "topology" | "budget_forecast" | "custom"; readonly format?: "csv" | "pdf" | "excel" | "xml"; readonly asset_ids?: readonly (string)[]; readonly period?: string }
      answer: { readonly id: string; readonly name: string; readonly type: "inventory_summary" | "compliance_report" | "asset_audit" | "software_license" | "topology" | "budget_forecast" | "custom"; readonly format: "csv" | "pdf" | "excel" | "xml"; readonly status: "pending" | "generating" | "available" | "failed"; readonly createdAt: string }
    }
  }
  '/reports/{id}': {
    /** One report. */
    get: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly id: string; readonly name: string; readonly type: "inventory_summary" | "compliance_report" | "asset_audit" | "software_license" | "topology" | "budget_forecast" | "custom"; readonly format: "csv" | "pdf" | "excel" | "xml"; readonly status: "pending" | "generating" | "available" | "failed"; readonly createdAt: string }
    }
  }
  '/reports/{id}/download': {
    /** The file of the latest successful snapshot. */
    get: {
      path: { id: string }
      query?: never
      body?: never
      answer: Uint8Array
    }
  }
  '/scans': {
    /** Lists scan jobs, newest first. */
    get: {
      path?: never
      query?: { readonly limit?: number | string; readonly offset?: number | string }
      body?: never
      answer: { readonly data: readonly ({ readonly scanId: string; readonly status: "pending" | "running" | "completed" | "failed" | "cancelled"; readonly startedAt: string; readonly message: string })[] }
    }
    /** Queues a scan of an existing scan target. */
    post: {
      path?: never
      query?: never
      body: { readonly type: "sweep" | "ssh" | "snmp" | "wmi" | "vmware" | "hypervisor"; readonly target: string }
      answer: { readonly scanId: string; readonly status: "pending" | "running" | "completed" | "failed" | "cancelled"; readonly startedAt: string; readonly message: string }
    }
  }
  '/scans/{id}': {
    /** Cancels a queued or running scan. */
    delete: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly message: string }
    }
  }
  '/vulnerabilities': {
    /** List vulnerability findings, highest CVSS first. */
    get: {
      path?: never
      query?: { readonly limit?: number | string; readonly offset?: number | string; readonly severity?: "critical" | "high" | "medium" | "low" | "informational" | ""; readonly cvss_min?: number | string; readonly cvss_max?: number | string; readonly fixed?: string; readonly where?: string }
      body?: never
      answer: { readonly data: readonly ({ readonly id: string; readonly cveId: string; readonly severity: "critical" | "high" | "medium" | "low" | "informational"; readonly cvssScore: number; readonly description: string; readonly assetId: string; readonly affectedAssets: number })[] }
    }
  }
  '/vulnerabilities/{id}': {
    /** One vulnerability finding. */
    get: {
      path: { id: string }
      query?: never
      body?: never
      answer: { readonly id: string; readonly cveId: string; readonly severity: "critical" | "high" | "medium" | "low" | "informational"; readonly cvssScore: number; readonly description: string; readonly assetId: string; readonly affectedAssets: number }
    }
  }
  '/vulnerabilities/export': {
    /** Vulnerability findings as CSV, with the filters of the list. */
    get: {
      path?: never
      query: { readonly format: "csv"; readonly severity?: "critical" | "high" | "medium" | "low" | "informational" | ""; readonly cvss_min?: number | string; readonly cvss_max?: number | string; readonly fixed?: string; readonly where?: string }
      body?: never
      answer: Uint8Array
    }
  }
}
