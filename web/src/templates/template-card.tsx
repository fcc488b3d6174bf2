import type { Template } from '../api/types.ts';
import { ShortId } from '../parts/short-id.tsx';
import { ModeBadge } from '../parts/status-badge.tsx';
import { plainWords } from '../parts/words.ts';
import { TemplateStatusBadge } from './template-status.tsx';

const languages = new Intl.DisplayNames('en-GB', { type: 'language' });

/** `English (UK)`; the code itself where it means nothing here. */
function languageName(code: string): string {
  try {
    return languages.of(code.replace('_', '-')) ?? code;
  } catch {
    return code;
  }
}

/** What a template is, by WhatsApp's word. */
export function TemplateCard({ template, others }: { template: Template; others: string[] }) {
  return (
    <section className="card card-body" aria-label={`Template ${template.name}`}>
      <div className="spread wrap">
        <div className="row wrap">
          <h2 className="template-name">
            <code>{template.name}</code>
          </h2>
          <TemplateStatusBadge status={template.status} />
          <ModeBadge mode={template.mode} />
        </div>
        <ShortId id={template.id} name="id of the template" />
      </div>
      <p className="secondary" style={{ marginTop: 4 }}>
        {languageName(template.language)}, {template.language} · {plainWords(template.category)} ·{' '}
        {template.parameter_format.toLowerCase()} parameters
        {others.length > 0 && ` · also in ${others.map(languageName).join(', ')}`}
      </p>
      {template.rejected_reason && template.rejected_reason !== 'NONE' && (
        <p className="wrong" style={{ marginTop: 8 }}>
          WhatsApp’s reason: {plainWords(template.rejected_reason)}
        </p>
      )}
    </section>
  );
}
