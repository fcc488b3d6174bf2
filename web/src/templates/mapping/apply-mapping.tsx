import { useMutation, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { keyMappingsQuery } from '../../api/key-queries.ts';
import { useReread } from '../../api/reread.ts';
import type { ApiKey, Template } from '../../api/types.ts';
import { Question } from '../../parts/question.tsx';
import { templateLanguagesQuery } from '../template-languages.ts';
import type { DraftLine } from './mapping-draft.ts';
import { languagePlan } from './mapping-fit.ts';

interface ApplyMappingProps {
  readonly template: Template;
  readonly apiKey: ApiKey;
  readonly isAsked: boolean;
  /** What is saved. */
  readonly lines: readonly DraftLine[];
  readonly onClose: () => void;
  readonly onDone: (notice: string) => void;
}

/** Saves one mapping for each language of a template that it fits, after a question. */
export function ApplyMapping(props: ApplyMappingProps) {
  const { template, apiKey, isAsked, lines, onClose, onDone } = props;
  const reread = useReread();
  const templates = useQuery(templateLanguagesQuery(template)).data ?? [];
  const mappings = useQuery(keyMappingsQuery(apiKey.id)).data ?? [];
  const { changed, same, leftOut } = languagePlan(lines, templates, mappings);
  const saving = useMutation({
    mutationFn: async () => {
      const saved: Template[] = [];
      const failed: { language: string; message: string }[] = [];
      for (const { template: of, variables } of changed) {
        try {
          await call(
            'PUT',
            '/api-keys/{id}/template-mappings/{template_id}',
            { id: apiKey.id, template_id: of.id },
            {
              variables,
            },
          );
          saved.push(of);
        } catch (error) {
          const message = error instanceof Error ? error.message : String(error);
          failed.push({ language: of.language, message });
        }
      }
      await reread(
        ['key', apiKey.id, 'template-mappings'],
        ['templates'],
        ['template'],
        ['overview'],
      );
      return { saved, failed };
    },
    onSuccess: ({ saved, failed }) => {
      if (failed.length > 0) return;
      onDone(`The mapping was saved for ${languagesOf(saved)}.`);
    },
  });
  const close = () => {
    saving.reset();
    onClose();
  };
  const { saved = [], failed = [] } = saving.data ?? {};
  return (
    <Question
      isAsked={isAsked}
      title={`Apply the mapping of “${apiKey.name}” to all languages of ${template.name}?`}
      keep={failed.length > 0 ? 'Close' : undefined}
      go={failed.length > 0 ? 'Try again' : 'Save mappings'}
      isReady={changed.length > 0}
      isPending={saving.isPending}
      error={saving.error}
      effect="Some mappings may be saved."
      onKeep={close}
      onGo={() => saving.mutate()}
    >
      {failed.length > 0 && (
        <div className="wrong" role="alert">
          {saved.length > 0 && `Saved for ${languagesOf(saved)}. `}
          Not saved:
          <ul>
            {failed.map(({ language, message }) => (
              <li key={language}>
                {language}: {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {changed.length > 0 ? (
        <p>
          <b>Will change:</b> {languagesOf(changed.map((one) => one.template))}. A mapping that the
          key has there is replaced, and applies from the next send on.
        </p>
      ) : (
        <p>No language would change.</p>
      )}
      {same.length > 0 && (
        <p>
          <b>Already the same:</b> {languagesOf(same)}.
        </p>
      )}
      {leftOut.length > 0 && (
        <div>
          <b>Left out:</b>
          <ul>
            {leftOut.map(({ template: of, reason }) => (
              <li key={of.id}>
                {of.language}: {reason}.
              </li>
            ))}
          </ul>
        </div>
      )}
    </Question>
  );
}

const list = new Intl.ListFormat('en-GB');

const languagesOf = (templates: readonly Template[]) =>
  list.format(templates.map(({ language }) => language));
