import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { keyMappingsQuery } from '../../api/key-queries.ts';
import { templateQuery } from '../../api/template-queries.ts';
import { Question } from '../../parts/question.tsx';
import { type DraftLine, draftLines } from './mapping-draft.ts';
import { copiedLines } from './mapping-fit.ts';
import { type Source, type SourcesAsked, sourcesOf } from './mapping-sources.ts';

interface CopyQuestionProps extends SourcesAsked {
  readonly isAsked: boolean;
  readonly lines: readonly DraftLine[];
  readonly onKeep: () => void;
  /** Gives the lines with the variables, and what was copied in words. */
  readonly onCopy: (lines: readonly DraftLine[], notice: string) => void;
}

const valueOf = ({ keyId, templateId }: Source) => `${keyId} ${templateId}`;

/** Takes the variables of another mapping over, into the editor only. */
export function CopyQuestion(props: CopyQuestionProps) {
  const { template, apiKey, isAsked, lines, onKeep, onCopy } = props;
  const client = useQueryClient();
  const id = useId();
  const [chosen, setChosen] = useState('');
  const { ofKey, ofTemplate } = sourcesOf(props);
  const sources = [...ofKey, ...ofTemplate];
  const source = sources.find((one) => valueOf(one) === chosen);
  const copying = useMutation({
    mutationFn: async ({ keyId, templateId, name }: Source) => {
      const [answer, mappings] = await Promise.all([
        client.query(templateQuery(templateId)),
        client.query(keyMappingsQuery(keyId)),
      ]);
      const mapping = mappings.find(({ template_id: of }) => of === templateId);
      if (!mapping) throw new Error('Somebody has removed this mapping.');
      const copied = copiedLines(lines, draftLines(answer.template, mapping));
      onCopy(copied.lines, copyNotice(name, copied.misfits));
    },
  });
  return (
    <Question
      isAsked={isAsked}
      title={`Copy a mapping to ${template.name}, ${template.language}`}
      go="Copy variables"
      isReady={source !== undefined}
      isPending={copying.isPending}
      error={copying.error}
      onKeep={onKeep}
      onGo={() => source && copying.mutate(source)}
    >
      <div>
        <label className="secondary" htmlFor={id}>
          Mapping
        </label>
        <select
          id={id}
          className="field"
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          <option value="">Choose one</option>
          <Options title={`Other templates of “${apiKey.name}”`} sources={ofKey} />
          <Options title="This template at other keys" sources={ofTemplate} />
        </select>
      </div>
      <p>
        Its variables replace those of the same places. Nothing is saved until you save the mapping.
      </p>
    </Question>
  );
}

function Options({ title, sources }: { title: string; sources: readonly Source[] }) {
  if (sources.length === 0) return null;
  return (
    <optgroup label={title}>
      {sources.map((source) => (
        <option key={valueOf(source)} value={valueOf(source)}>
          {source.name}
        </option>
      ))}
    </optgroup>
  );
}

function copyNotice(name: string, misfits: readonly string[]): string {
  return misfits.length === 0
    ? `Copied from ${name}. Save the mapping to use it.`
    : `Copied from ${name}, except ${misfits.join(', ')}: this template has no such place.`;
}
