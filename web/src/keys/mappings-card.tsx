import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { keyMappingsQuery } from '../api/key-queries.ts';
import type { ApiKey, TemplateMapping } from '../api/types.ts';
import { Card } from '../parts/card.tsx';
import { ListState } from '../parts/query-state.tsx';
import { plainWords } from '../parts/words.ts';

/** The templates that the key sends by named variables, and whether each still fits. */
export function MappingsCard({ apiKey: key }: { apiKey: ApiKey }) {
  const mappings = useQuery(keyMappingsQuery(key.id));
  return (
    <Card
      title="Template mappings"
      aside={
        <Link to="/templates" search={{ key: key.id }}>
          All templates
        </Link>
      }
    >
      <ListState
        query={mappings}
        skeletonRows={2}
        rows={mappings.data}
        empty="None yet. A mapping names the variables of a template; without one this key cannot use messages/template/send."
      >
        {(shown) => (
          <ul>
            {shown.map((mapping) => (
              <li key={mapping.template_id} className="mapping-line">
                <Link
                  className="row-link"
                  to="/templates/$templateId"
                  params={{ templateId: mapping.template_id }}
                  search={{ key: key.id }}
                >
                  <code>{mapping.template_name}</code>{' '}
                  <span className="small">{mapping.language}</span>
                </Link>
                <MappingState mapping={mapping} />
              </li>
            ))}
          </ul>
        )}
      </ListState>
    </Card>
  );
}

function MappingState({ mapping }: { mapping: TemplateMapping }) {
  const count = Object.keys(mapping.variables).length;
  if (mapping.broken) {
    return (
      <span className="row" style={{ color: 'var(--red-text)' }}>
        <IconAlertTriangle size={16} aria-hidden="true" />
        {mapping.broken_reason}
      </span>
    );
  }
  if (mapping.template_status !== 'APPROVED') {
    return (
      <span className="row" style={{ color: 'var(--amber-text)' }}>
        <IconAlertCircle size={16} aria-hidden="true" />
        {plainWords(mapping.template_status)}: cannot be sent
      </span>
    );
  }
  return (
    <span className="row quiet">
      <IconCircleCheck size={16} color="var(--green)" aria-hidden="true" />
      {count} {count === 1 ? 'variable' : 'variables'}
    </span>
  );
}
