import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { estimateQuery } from '../../api/campaign-queries.ts';
import { call } from '../../api/client.ts';
import { useReread } from '../../api/reread.ts';
import { LeaveGuard } from '../../parts/leave-guard.tsx';
import { useGuardedMutation } from '../../parts/mutation.ts';
import { amount } from '../../parts/numbers.ts';
import { StepButton } from '../step-button.tsx';
import { ColumnsCard } from './columns-card.tsx';
import { EstimateText } from './estimate-text.tsx';
import { FileCard } from './file-card.tsx';
import { ProblemsCard } from './problems-card.tsx';
import { firstOf, RecipientPhone } from './recipient-phone.tsx';
import type { StepProps } from './steps.tsx';
import { variablesOf } from './template-lines.ts';
import { forgetUpload, recallUpload } from './upload-memory.ts';
import { useRecipientFile } from './use-recipient-file.ts';
import { useUpload } from './use-upload.ts';

/** Whom the campaign is for: a file, its columns, its problems, and its upload. */
export function RecipientsStep({ campaign, template, lines }: StepProps) {
  const { id, counts } = campaign;
  const reread = useReread();
  const variables = useMemo(() => variablesOf(lines), [lines]);
  const memory = recallUpload(id);
  const picked = useRecipientFile(variables, () => recallUpload(id));
  const { upload, start, stop, reset } = useUpload(id, variables, () => {
    void reread(['campaign', id], ['campaigns']);
  });
  const { chosen, report } = picked;
  const isRunning = upload?.state === 'running';
  const isBegun = upload !== null || (chosen?.done.line ?? 0) > 0;
  const hasSome = counts.total > 0;
  const estimate = useQuery({ ...estimateQuery(id), enabled: hasSome && !isRunning });
  const choose = (file: File | null) => {
    reset();
    picked.choose(file);
  };
  return (
    <>
      <LeaveGuard
        isAtStake={isRunning}
        title="Leave while recipients are uploaded?"
        leave="Leave"
        placeOf={({ pathname, search }) => `${pathname} ${JSON.stringify(search)}`}
      >
        What is uploaded stays. To go on, come back and choose the same file again.
      </LeaveGuard>
      <div className="draft-columns">
        <div className="stack">
          <FileCard
            picked={{ ...picked, choose }}
            variables={variables}
            memory={memory}
            upload={upload}
            total={counts.total}
            onUpload={() => chosen && start(chosen)}
            onStop={stop}
          />
          {chosen && (
            <ColumnsCard
              form={chosen.form}
              variables={variables}
              plan={chosen.plan}
              locked={isBegun ? <StartOver campaign={campaign} isOff={isRunning} /> : null}
              onPlan={picked.setPlan}
            />
          )}
        </div>
        {chosen && report && (
          <ProblemsCard
            fileName={chosen.file.name}
            columns={chosen.form.columns}
            report={report}
            isUploaded={upload?.state === 'done'}
            refused={upload?.problems ?? []}
          />
        )}
        <RecipientPhone
          template={template}
          lines={lines}
          samples={
            report?.samples.map(({ line, recipient }) => ({
              ...recipient,
              place: `Line ${amount(line)}`,
            })) ?? firstOf(campaign)
          }
        />
      </div>
      <div className="draft-foot">
        <EstimateText campaign={campaign} estimate={estimate.data} />
        <div className="row">
          <StepButton campaignId={id} step="pace" isMain isOff={!hasSome || isRunning}>
            Next: pace and time
          </StepButton>
        </div>
      </div>
    </>
  );
}

/** Another draft of the same kind without recipients: what is uploaded cannot be read again. */
function StartOver({ campaign, isOff }: Pick<StepProps, 'campaign'> & { readonly isOff: boolean }) {
  const navigate = useNavigate();
  const reread = useReread();
  const again = useGuardedMutation({
    mutationFn: async () => {
      const { data } = await call('POST', '/campaigns', null, {
        api_key_id: campaign.api_key_id,
        name: campaign.name,
        template_name: campaign.template_name,
        language: campaign.language,
        per_second: campaign.per_second,
        send_at: campaign.send_at,
        message_events: campaign.message_events,
        pause_on: campaign.pause_on,
      });
      await call('POST', '/campaigns/{id}/cancel', { id: campaign.id });
      return data;
    },
    onSuccess: async ({ id }) => {
      forgetUpload(campaign.id);
      void reread(['campaigns']);
      await navigate({
        to: '/campaigns/$draftId/draft',
        params: { draftId: id },
        search: { step: 'recipients' },
        replace: true,
      });
    },
  });
  return (
    <>
      Fixed since the upload began.{' '}
      <button
        type="button"
        className="link"
        disabled={isOff || again.isPending}
        onClick={() => again.mutate()}
      >
        Start over
      </button>{' '}
      to change it.
      {again.error && (
        <span className="wrong" role="alert">
          {' '}
          {again.error.message}
        </span>
      )}
    </>
  );
}
