package io.onceflow.redis.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is of another form is forgotten; what Redis refuses for a while must not be. */
class RedisUnusableTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "WRONGTYPE Operation against a key holding the wrong kind of value",
        "ERR user_script:4: attempt to compare nil with number script: 5f0c, on @user_script:4.",
        "ERR Error running script (call to f_5f0c): @user_script:4: user_script:4: attempt to compare",
        "ERR Error running script (call to f_5f0c): @user_script:4: WRONGTYPE Operation against a key",
      })
  void tellsThatWhatIsStoredHasAnotherForm(String answer) {
    assertThat(unusable(answer).isOfWrongForm()).isTrue();
  }

  /** Seen red for those that begin with ERR: the claim that was asked for was no longer swept. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "ERR max number of clients reached",
        "ERR unknown command 'EVALSHA'",
        "ERR Error running script (call to f_5f0c): @user_script:4: -OOM command not allowed",
        "OOM command not allowed when used memory > 'maxmemory'. script: 5f0c, on @user_script:4.",
        "READONLY You can't write against a read only replica.",
        "LOADING Redis is loading the dataset in memory",
        "no answer within PT1S",
      })
  void tellsNothingOfWhatIsStoredWhereRedisRefuses(String answer) {
    assertThat(unusable(answer).isOfWrongForm()).isFalse();
  }

  private static RedisUnusable unusable(String answer) {
    return new RedisUnusable("TAKE_OVER", new IllegalStateException(answer));
  }
}
