/** What components beside a document are given as `ninefold/ui`. */
import {
  Button,
  Empty,
  Facts,
  Field,
  Figures,
  LinkButton,
  Note,
  Row,
  Section,
  Stack,
  StepButton,
  Table,
  Tag,
} from '../kit.tsx'
import { PageHead } from '../page.tsx'
import { hidden } from './samples.tsx'

const step = {
  key: 'close',
  label: 'Close',
  action: '/cases/7/do/close',
  hidden: [...hidden],
  confirm: null,
  asks: false,
}

export const kit = (
  <>
    <PageHead title="Parts for blocks" />
    <div className="sheet">
      <div className="body">
        <Stack>
          <Figures
            of="Cases"
            figures={[
              { label: 'Open', value: '312', href: '/cases' },
              { label: 'Late', value: '7', note: 'two more than last week' },
            ]}
          />
          <Section title="Due on Friday">
            <Note tone="wait">One of them is late.</Note>
            <Table
              of="Due on Friday"
              columns={[{ label: 'Case' }, { label: 'Place' }, { label: 'Days', numeric: true }]}
              rows={[
                {
                  key: '7',
                  cells: [
                    <a key="7" href="/cases/7">
                      SD-7
                    </a>,
                    'Before number 4',
                    '12',
                  ],
                },
                {
                  key: '8',
                  cells: [
                    'SD-8',
                    <Tag key="8" tone="bad">
                      late
                    </Tag>,
                    '3',
                  ],
                },
              ]}
              total={['Total', null, '15']}
            />
            <Facts
              facts={[
                { label: 'Inspector', value: 'Ida' },
                { label: 'Phone', value: null },
              ]}
            />
            <Field label="Only those of" hint="A street, as it is written on its sign.">
              <input className="in" name="street" />
            </Field>
            <Row>
              <StepButton step={step} primary />
              <StepButton
                step={{ ...step, key: 'reject', label: 'Reject', confirm: '/cases/7/do/reject', asks: true }}
              />
              <LinkButton href="/cases">All cases</LinkButton>
              <Button onClick={() => undefined}>Sort</Button>
            </Row>
          </Section>
          <Empty
            title="Nothing is due"
            text="What is due soon appears here."
            action={<LinkButton href="/cases">All cases</LinkButton>}
          />
        </Stack>
      </div>
    </div>{' '}
  </>
)
