import { Button } from '@mantine/core';
import { IconCopy, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiFailure, call } from '../../api/client.ts';
import { useReread } from '../../api/reread.ts';
import type { ApiKey, Template, TemplateAnswer, TemplateMapping } from '../../api/types.ts';
import { lazyPart, OnceOpened } from '../../parts/lazy-part.tsx';
import { PlainField } from '../../parts/plain-field.tsx';
import { PlainSwitch } from '../../parts/plain-switch.tsx';
import { Question } from '../../parts/question.tsx';
import { ForChangers } from '../../session/changers.tsx';
import { usePlace } from '../../session/session.tsx';
import { type DraftLine, lineFault, placeName, variablesOf } from './mapping-draft.ts';
import { withWhatsAppNames } from './mapping-names.ts';
import { sourcesOf } from './mapping-sources.ts';
import { Missing } from './missing.tsx';

const CopyQuestion = lazyPart(() => import('./copy-question.tsx'), 'CopyQuestion');

interface MappingEditorProps {
  readonly template: Template;
  /** Keys of the template's account and mode. */
  readonly keys: readonly ApiKey[];
  readonly apiKey: ApiKey | undefined;
  readonly onKey: (keyId: string) => void;
  readonly mapping: TemplateMapping | null;
  /** Those of the key, for all templates. */
  readonly mappings: readonly TemplateMapping[];
  /** The template's, of all keys. */
  readonly ofTemplate: TemplateAnswer['mappings'];
  readonly lines: readonly DraftLine[];
  /** Whether they are others than those of the stored mapping. */
  readonly isChanged: boolean;
  readonly onChange: (lines: readonly DraftLine[]) => void;
  readonly onDiscard: () => void;
  /** What the last action did; null: nothing to say. */
  readonly notice: string | null;
  readonly onNotice: (notice: string) => void;
  /** Asks whether to save the lines for all languages; undefined: there is one language. */
  readonly onApply: (() => void) | undefined;
}

/** Gives the places of a template names for one key. */
export function MappingEditor(props: MappingEditorProps) {
  const { template, keys, apiKey, onKey } = props;
  return (
    <section className="card" aria-label="Mapping">
      <div className="card-head">
        <h2>Mapping</h2>
        {keys.length > 0 && (
          <select
            aria-label="Key of the mapping"
            className="field mapping-key"
            value={apiKey?.id}
            onChange={(event) => onKey(event.currentTarget.value)}
          >
            {keys.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </div>
      {!apiKey ? (
        <p className="card-body secondary">
          There is no {template.mode} key in this account yet. A mapping belongs to one key.{' '}
          <ForChangers>
            <Link to="/keys/new">Create a key</Link>
          </ForChangers>
        </p>
      ) : template.parameters.length === 0 ? (
        <FixedTemplate {...props} apiKey={apiKey} />
      ) : (
        <Lines {...props} apiKey={apiKey} />
      )}
    </section>
  );
}

type KnownKey = MappingEditorProps & { readonly apiKey: ApiKey };

const readOnly = <p className="secondary">Viewers do not change mappings.</p>;

/** A template without parameters needs a mapping all the same: it says that the key may send it. */
function FixedTemplate(props: KnownKey) {
  const { mapping, apiKey, onApply } = props;
  const saving = useSave(props);
  return (
    <div className="card-body stack">
      <p className="secondary">
        {mapping
          ? `It has no variables. “${apiKey.name}” can send it by its name.`
          : `It has no variables. An empty mapping lets “${apiKey.name}” send it by its name.`}
      </p>
      {saving.isError && <SaveFailure error={saving.error} />}
      <Outcome notice={props.notice} />
      <ForChangers otherwise={readOnly}>
        <div className="spread wrap">
          {mapping ? <RemoveMapping {...props} /> : <span />}
          <div className="row wrap">
            {onApply && <Button onClick={onApply}>Apply to all languages…</Button>}
            {!mapping && (
              <Button variant="filled" loading={saving.isPending} onClick={() => saving.mutate({})}>
                Save mapping
              </Button>
            )}
          </div>
        </div>
      </ForChangers>
    </div>
  );
}

function Lines(props: KnownKey) {
  const { apiKey, mapping, lines, isChanged, onChange, onDiscard, onApply } = props;
  const saving = useSave(props);
  const { mayChange } = usePlace();
  const [isTried, setIsTried] = useState(false);
  const faults = lines.map((line) => lineFault(line, lines));
  const count = faults.filter((fault) => fault !== null).length;
  const replace = (changed: readonly DraftLine[]) => {
    saving.reset();
    onChange(changed);
  };
  const change = (at: number, changed: Partial<DraftLine>) =>
    replace(lines.map((line, index) => (index === at ? { ...line, ...changed } : line)));
  const named = withWhatsAppNames(lines);
  const isRevoked = apiKey.state === 'revoked';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setIsTried(true);
        if (count === 0) saving.mutate(variablesOf(lines));
      }}
    >
      <ForChangers>
        <div className="mapping-tools">
          <Button
            disabled={named.every(({ name }, at) => name === lines[at]?.name)}
            onClick={() => replace(named)}
          >
            Use WhatsApp’s names
          </Button>
          <CopyMapping
            {...props}
            onCopy={(copied, notice) => {
              replace(copied);
              props.onNotice(notice);
            }}
          />
        </div>
      </ForChangers>
      <fieldset className="mapping-lines" aria-label="Places of the template" disabled={!mayChange}>
        <div className="mapping-heads" aria-hidden="true">
          <span>Fills</span>
          <span>Variable</span>
          <span>Default</span>
          <span>Required</span>
        </div>
        {lines.map((line, at) => {
          const place = placeName(line.parameter);
          const fault = faults[at] ?? null;
          // No error for a field that the user has not reached yet.
          const shown = line.name === '' && !isTried && !mapping ? null : fault;
          return (
            <div key={place} className="mapping-row">
              <span className="chip">{place}</span>
              <PlainField
                label={`Variable for ${place}`}
                placeholder={line.parameter.required ? 'Name it' : 'Not used'}
                value={line.name}
                error={shown}
                onChange={(event) => change(at, { name: event.currentTarget.value })}
              />
              <PlainField
                label={`Default for ${place}`}
                placeholder="No default"
                value={line.byDefault}
                onChange={(event) => change(at, { byDefault: event.currentTarget.value })}
              />
              <PlainSwitch
                label={<span className="mapping-required">Required</span>}
                aria-label={`${place}: Required`}
                checked={line.required}
                onChange={(event) => change(at, { required: event.currentTarget.checked })}
              />
            </div>
          );
        })}
      </fieldset>
      <div className="card-body stack">
        <Outcome notice={props.notice} />
        <Missing {...props} faults={faults} />
        {saving.isError && <SaveFailure error={saving.error} />}
        <ForChangers otherwise={readOnly}>
          <div className="spread wrap">
            {mapping ? <RemoveMapping {...props} /> : <span />}
            <div className="row wrap">
              {isChanged && <Button onClick={onDiscard}>Discard</Button>}
              {onApply && (
                <Button disabled={isRevoked || count > 0} onClick={onApply}>
                  Apply to all languages…
                </Button>
              )}
              <Button
                type="submit"
                variant="filled"
                loading={saving.isPending}
                disabled={
                  isRevoked || count > 0 || (!isChanged && mapping !== null && !mapping.broken)
                }
              >
                Save mapping
              </Button>
            </div>
          </div>
        </ForChangers>
      </div>
    </form>
  );
}

/** Takes the variables of another mapping over, where there is one. */
function CopyMapping({
  onCopy,
  ...props
}: KnownKey & { onCopy: (copied: readonly DraftLine[], notice: string) => void }) {
  const [isAsked, setIsAsked] = useState(false);
  const { ofKey, ofTemplate } = sourcesOf(props);
  if (ofKey.length + ofTemplate.length === 0) return null;
  return (
    <>
      <Button leftSection={<IconCopy size={16} />} onClick={() => setIsAsked(true)}>
        Copy mapping from…
      </Button>
      <OnceOpened isOpen={isAsked}>
        {(isShown) => (
          <CopyQuestion
            {...props}
            isAsked={isShown}
            onKeep={() => setIsAsked(false)}
            onCopy={(copied, notice) => {
              setIsAsked(false);
              onCopy(copied, notice);
            }}
          />
        )}
      </OnceOpened>
    </>
  );
}

function Outcome({ notice }: { notice: string | null }) {
  if (notice === null) return null;
  return (
    <p className="secondary" role="status">
      {notice}
    </p>
  );
}

function SaveFailure({ error }: { error: Error }) {
  const fields = error instanceof ApiFailure ? Object.entries(error.fields) : [];
  return (
    <div className="wrong" role="alert">
      {error.message} The mapping was not changed.
      {fields.map(([path, fault]) => (
        <div key={path} className="small wrong">
          <code>{path}</code> {fault}
        </div>
      ))}
    </div>
  );
}

const path = '/api-keys/{id}/template-mappings/{template_id}';
const givenOf = ({ apiKey, template }: KnownKey) => ({ id: apiKey.id, template_id: template.id });

/** Reads again what depends on a mapping. */
function useMappingReads({ apiKey, template }: KnownKey) {
  const reread = useReread();
  return () =>
    reread(
      ['key', apiKey.id, 'template-mappings'],
      ['templates'],
      ['template', template.id],
      ['overview'],
    );
}

function useSave(props: KnownKey) {
  const onSuccess = useMappingReads(props);
  return useMutation({
    mutationFn: (variables: TemplateMapping['variables']) =>
      call('PUT', path, givenOf(props), { variables }),
    onSuccess: async () => {
      await onSuccess();
      props.onDiscard();
    },
  });
}

function RemoveMapping(props: KnownKey) {
  const { apiKey, template } = props;
  const [isAsked, setIsAsked] = useState(false);
  const reread = useMappingReads(props);
  const removal = useMutation({
    mutationFn: () => call('DELETE', path, givenOf(props)),
    onSuccess: async () => {
      await reread();
      props.onDiscard();
      setIsAsked(false);
    },
  });
  return (
    <>
      <Button
        c="var(--red-text)"
        variant="subtle"
        color="red"
        px={8}
        leftSection={<IconTrash size={16} />}
        onClick={() => setIsAsked(true)}
      >
        Remove mapping…
      </Button>
      <Question
        isAsked={isAsked}
        title={`Remove the mapping of “${apiKey.name}” for ${template.name}?`}
        go="Remove mapping"
        isDestructive
        isPending={removal.isPending}
        error={removal.error}
        onKeep={() => setIsAsked(false)}
        onGo={() => removal.mutate()}
      >
        <p>
          From now on, its sends of this template are refused with{' '}
          <code>TEMPLATE_NOT_CONFIGURED</code>. The mappings of other keys stay.
        </p>
      </Question>
    </>
  );
}
