//! One question to the model, asked again where that may help and nothing was shown yet.

use std::time::Duration;

use futures::StreamExt;

use super::{End, State};
use crate::agent::{
    context::size,
    event::{Event, Status},
    model::{ModelError, Piece, Prompt, Reply},
};

const RETRIES: u32 = 3;
const FIRST_WAIT: Duration = Duration::from_millis(500);
/// A provider that wants a longer pause than this is not waited for.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

impl State<'_> {
    pub(super) async fn turn(&mut self, prompt: &Prompt<'_>) -> Result<Reply, End> {
        self.tell(Event::Status(Status::Thinking { turn: self.usage.turns })).await?;
        let mut attempt = 0;
        let reply = loop {
            let before = self.text.len();
            let error = match self.answer(prompt).await? {
                Ok(reply) => break reply,
                Err(error) => error,
            };
            attempt += 1;
            let wait = pause(&error, attempt);
            let shown = self.text.len() > before;
            let Some(wait) = wait.filter(|_| error.passes() && !shown && attempt <= RETRIES) else {
                return Err(End::Model(error));
            };
            let wait_millis = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
            self.tell(Event::Status(Status::Retrying { attempt, wait_millis, why: error.to_string() }))
                .await?;
            self.within(tokio::time::sleep(wait)).await?;
        };
        self.count(prompt, &reply);
        self.tell(Event::Usage(self.usage)).await?;
        Ok(reply)
    }

    async fn answer(&mut self, prompt: &Prompt<'_>) -> Result<Result<Reply, ModelError>, End> {
        let mut pieces = match self.within(self.run.model.ask(prompt)).await? {
            Ok(pieces) => pieces,
            Err(error) => return Ok(Err(error)),
        };
        let mut begun = false;
        loop {
            match self.within(pieces.next()).await? {
                Some(Ok(Piece::Text(text))) if text.is_empty() => {}
                Some(Ok(Piece::Text(text))) => {
                    // The answers of several turns are one text; a blank line keeps them apart.
                    let text = if !begun && !self.text.is_empty() { format!("\n\n{text}") } else { text };
                    begun = true;
                    self.text.push_str(&text);
                    self.tell(Event::Text(text)).await?;
                }
                Some(Ok(Piece::Done(reply))) => return Ok(Ok(reply)),
                Some(Err(error)) => return Ok(Err(error)),
                None => return Ok(Err(ModelError::Cut("it ended before it was complete".to_owned()))),
            }
        }
    }

    fn count(&mut self, prompt: &Prompt<'_>, reply: &Reply) {
        let (input, output) = reply.tokens.unwrap_or_else(|| {
            self.usage.estimated = true;
            let asked: usize = prompt.messages.iter().map(size).sum();
            let answered: usize =
                reply.calls.iter().map(|call| call.name.len() + call.arguments.len()).sum::<usize>();
            (tokens(prompt.system.len() + asked), tokens(reply.text.len() + answered))
        });
        self.usage.input_tokens += input;
        self.usage.output_tokens += output;
        if let Some((input_price, output_price)) = self.run.model.prices() {
            #[expect(
                clippy::cast_precision_loss,
                reason = "a sum of money to show, of tokens that fit a float"
            )]
            let cost = (input as f64 * input_price + output as f64 * output_price) / 1e6;
            self.usage.cost = Some(self.usage.cost.unwrap_or(0.0) + cost);
        }
    }
}

/// Four bytes a token is what English takes.
fn tokens(bytes: usize) -> u64 {
    u64::try_from(bytes / 4).unwrap_or(u64::MAX)
}

fn pause(error: &ModelError, attempt: u32) -> Option<Duration> {
    match error {
        ModelError::Status { retry_after: Some(wait), .. } => {
            Some(*wait).filter(|wait| *wait <= LONGEST_WAIT)
        }
        _ => Some(FIRST_WAIT * 2u32.pow(attempt.saturating_sub(1).min(6))),
    }
}
