import { Button, SegmentedControl, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Waypoints } from 'lucide-react'
import { TopologyMapDocument, type TopologyMapData } from '#api/generated/topology.ts'
import { q } from '#api/query-client.ts'
import { count, many } from '#lib/numbers.ts'
import { Badge } from '#ui/badge.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { LoadError } from '#ui/load-error.tsx'
import { Page } from '#ui/page.tsx'
import { Panel } from '#ui/panel.tsx'
import { SkeletonBlock } from '#ui/skeleton.tsx'
import { usePreview } from '#ui/table/use-address-value.ts'
import { DrawnMap } from './drawn-map.tsx'
import { MapPreview } from './map-preview.tsx'
import { sitesOf } from './map-graph.ts'
import styles from './topology-page.module.css'
import { ALL_SITES, readTopologySearch, type TopologySearch } from './topology-search-params.ts'

/** The network as a map: what is connected with what, and what routes between which networks. */
export function TopologyPage() {
  const search = useSearch({ from: '/app/topology', select: readTopologySearch, structuralSharing: true })
  const { layer = 'links' } = search
  const { data, error, refetch } = useQuery(q(TopologyMapDocument, { layer }))
  const preview = usePreview()
  const map = data?.topologyMap
  return (
    <Page
      title="Topology"
      aside={map && <Badge>{many(map.devices, 'device')}</Badge>}
      description="What switches, routers and hypervisors reported and people recorded. Choose a box or a line to see what says so."
    >
      <Choices search={search} map={map} />
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {!map && !error && (
        <Panel>
          <SkeletonBlock label="Loading the map" />
        </Panel>
      )}
      {map?.nodes.length === 0 && <NothingYet layer={layer} />}
      {map && map.nodes.length > 0 && (
        <DrawnMap key={`${layer} ${search.site}`} map={map} site={search.site} preview={preview} />
      )}
      {map && preview.opened !== undefined && <MapPreview map={map} preview={preview} />}
    </Page>
  )
}

interface ChoicesProps {
  readonly search: TopologySearch
  readonly map: TopologyMapData['topologyMap'] | undefined
}

const BY_SITE = 'by site'
const NO_SITE = 'no site'

function Choices({ search, map }: ChoicesProps) {
  const navigate = useNavigate()
  const choose = (next: TopologySearch) => void navigate({ to: '/topology', search: next })
  const sites = map ? sitesOf(map) : []
  const shown = search.site === '' ? NO_SITE : (search.site ?? BY_SITE)
  return (
    <div className={styles['choices']}>
      <SegmentedControl
        aria-label="Layer"
        data={[
          { value: 'links', label: 'Connections' },
          { value: 'routing', label: 'Routing' },
        ]}
        value={search.layer ?? 'links'}
        onChange={(layer) => choose(layer === 'routing' ? { layer } : {})}
      />
      {sites.length > 1 && (
        <Select
          aria-label="Site"
          searchable
          allowDeselect={false}
          data={[
            { value: BY_SITE, label: `${count(sites.length)} sites` },
            ...sites.map((it) => ({ value: it || NO_SITE, label: it || 'No site' })),
            { value: ALL_SITES, label: 'Everything' },
          ]}
          value={shown}
          onChange={(value) => {
            const { site: _site, ...rest } = search
            if (value === null || value === BY_SITE) return choose(rest)
            choose({ ...rest, site: value === NO_SITE ? '' : value })
          }}
        />
      )}
    </div>
  )
}

const NothingYet = ({ layer }: { readonly layer: 'links' | 'routing' }) => (
  <Panel>
    <EmptyState
      icon={Waypoints}
      title={layer === 'links' ? 'No connections are known' : 'No routing is known'}
      action={
        <Button renderRoot={(props) => <Link to="/credentials" {...props} />}>Add SNMP credentials</Button>
      }
    >
      {layer === 'links'
        ? 'Scan switches by SNMP or read a virtualisation platform: they tell their neighbours (LLDP, CDP), what is on their ports, and which machine runs where.'
        : 'Scan routers, firewalls and switches by SNMP: they tell the addresses of their interfaces and whom they have seen by ARP.'}
    </EmptyState>
  </Panel>
)
